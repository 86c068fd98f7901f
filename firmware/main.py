"""The Pico runs this at power-up."""

import nimatron_boot

nimatron_boot.main()
