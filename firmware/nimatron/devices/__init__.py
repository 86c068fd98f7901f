"""The devices, one file for each. No other code touches the hardware."""
