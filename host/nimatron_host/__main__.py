"""`python -m nimatron_host`, which runs the `nimatron` command."""

import sys

from nimatron_host.cli import main

sys.exit(main())
