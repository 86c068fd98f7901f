from nimatron_host import tables
from nimatron_sim import firmware

tables.write(firmware.folder())
