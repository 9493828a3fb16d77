"""What the build reads of `locale/`: .po files, how their markup compares, and the term base."""
