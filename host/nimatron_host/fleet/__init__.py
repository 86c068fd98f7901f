"""`nimatron fleet`: a hall of exhibits on an MQTT broker."""
