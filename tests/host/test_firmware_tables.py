"""The shipped tables are the same as from the generator."""

from nimatron_host.theory import firmware_tables
from nimatron_sim import firmware


def test_every_table_is_what_the_generator_builds():
    folder = firmware.folder() / firmware_tables.FOLDER
    built = firmware_tables.modules()
    shipped = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert shipped == set(built)
    for name, source in built.items():
        assert (folder / f"{name}.py").read_text() == source, (
            f"{name}: run `python -m nimatron_host.theory.firmware_tables`"
        )
