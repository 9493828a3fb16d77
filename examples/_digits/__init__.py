"""The parts of `examples/digits.py`: a network that reads handwritten digits.

- `data`, `model`, `training`: the images, the network with its loss, one epoch.
- `runs`, `checkpoints`, `stopping`: a run from epoch to epoch, kept on disk, stopped by Ctrl-C.
- `prediction`, `inside`, `transfer`: what a trained network is asked, shows, and gives to others.
"""
