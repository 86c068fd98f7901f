"""The settings on the operator's page, from the firmware's own table."""

from nimatron.settings import TABLE

_UNITS = {"brightness": "percent"} | {
    name: "millisecond" for name, _, _ in TABLE if name.endswith("_ms")
}


def _control(name, default, allowed):
    control = {"name": name, "default": str(default), "about": f"setting.{name}"}
    if isinstance(allowed, range):
        return control | {
            "min": allowed[0],
            "max": allowed[-1],
            "unit": _UNITS.get(name, ""),  # a unit name for JavaScript's Intl.NumberFormat
        }
    return control | {"some_of" if isinstance(allowed, list) else "one_of": list(allowed)}


def controls(defaults: dict[str, object]) -> list[dict]:
    """Return a control for each setting. `defaults` is {name: value} for the defaults that differ
    from the firmware's defaults."""
    return [
        _control(name, defaults.get(name, default), allowed) for name, default, allowed in TABLE
    ]
