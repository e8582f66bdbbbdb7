"""Test vectors of the gate and its arbiter, and the harness that runs any program against them."""
