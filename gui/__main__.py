"""``python -m gui``: the window."""

import sys

from gui.app import main

sys.exit(main())
