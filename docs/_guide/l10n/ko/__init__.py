"""Rules for Korean; `spelling` is a command of its own, since it needs Hunspell and Kiwi."""
