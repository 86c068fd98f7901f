"""The soak: visitors, a referee, and days of exhibit."""
