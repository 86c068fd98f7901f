"""The page in Firefox."""

import pytest
from firefox import WON, Firefox


@pytest.mark.long("a match in Firefox")
def test_a_match_in_firefox(serve, tmp_path):
    with Firefox(tmp_path) as firefox:
        assert firefox.ask(serve("new 3").url) == WON
