"""`python -m ghostproof` is the command `ghostproof`."""

from __future__ import annotations

import sys

from ghostproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
