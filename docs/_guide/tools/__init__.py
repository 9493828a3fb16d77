"""What contributors call besides the build: update catalogs, write locks, install with npm."""
