"""The devices: one file for each, and the only place that touches hardware."""
