"""`python -m sim_hardware`: the emulated devices without the daemon beside them."""

from sim_hardware.command import emulate

emulate(prog_name="python -m sim_hardware")
