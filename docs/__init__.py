"""The pages of the guide, and in `_guide` what builds the site of them."""
