"""What the Pico runs at power-up: it starts the app, nothing else."""

from nimatron import app

app.run()
