"""A hall of exhibits on an MQTT broker: `nimatron fleet`."""
