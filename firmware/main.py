"""The program that the Pico runs at power-up."""

import nimatron_boot

nimatron_boot.main()
