"""Deploy: bring the firmware on a Pico up to date."""
