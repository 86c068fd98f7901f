"""Whether this is a long run, as in `make test-long`."""

import os

LONG = bool(os.environ.get("NIMATRON_LONG"))
