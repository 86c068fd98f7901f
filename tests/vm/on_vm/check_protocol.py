"""The console line, formatted and parsed. Runs on MicroPython."""

from nimatron import protocol
from nimatron.dice import Dice

# The message, and its line.
CASES = [
    (["event", "move", ("by", "machine"), ("row", 2), ("rows", (3, 4, 2, 0))],
     "event move by=machine row=2 rows=3,4,2,0"),
    (["ok"], "ok"),
    (["event", ("state", "attract")], "event state=attract"),
    (["ok", ("got", "")], 'ok got=""'),
    (["ok", ("got", -1), ("least", 1 << 40)], "ok got=-1 least=1099511627776"),
    (["ok", ("text", "think_ms is 0 to 10000, not -1")],
     'ok text="think_ms is 0 to 10000, not -1"'),
    (["ok", ("text", 'a"b'), ("path", "C:\\new")], 'ok text="a\\"b" path=C:\\new'),
    (["ok", ("text", "C:\\new folder\\u00e9")], 'ok text="C:\\\\new folder\\\\u00e9"'),
    (["ok", ("text", "a=b"), ("two", "1\n2\r\t")], 'ok text="a=b" two="1\\n2\\u000d\\u0009"'),
    (["ok", ("name", "Škoda"), ("face", "😀"), ("end", "\x7f")],
     'ok name="\\u0160koda" face="\\U0001f600" end="\\u007f"'),
    (["ok", ("a key", "x"), ("", "nothing"), ("=", "=")], 'ok "a key"=x ""=nothing "="="="'),
    (["ok", ("games", ["tactix", "octal-0.77"]), ("none", ())],
     'ok games=tactix,octal-0.77 none=""'),
]  # fmt: skip
_NASTY = "az09-_.,:;/'\"\\=un U\n\r\t\x00\x1b~é€😀ñ%"


def check_lines():
    for words, line in CASES:
        assert protocol.format(*words) == line, protocol.format(*words)


def check_there_and_back():
    for words, line in CASES:
        _check(words, line)


def check_random_texts():
    dice = Dice(7)
    for _ in range(300):
        facts = [(_text(dice), _text(dice)) for _ in range(dice.roll(4))]
        words = ["event", "log"] + facts
        _check(words, protocol.format(*words))


def _check(words, line):
    kind, what, facts = protocol.parse(line)
    assert all([" " <= c <= "~" for c in line]), line
    assert kind == words[0]
    second = words[1] if len(words) > 1 else ""
    assert what == (second if isinstance(second, str) else second[0]), line
    said = [word for word in words[1:] if not isinstance(word, str)]
    assert facts == {key: _as_text(value) for key, value in said}, line


def check_a_line_that_was_cut_short_says_what_it_can():
    for line, facts in (
        ('ok text="a b', {"text": "a b"}),
        ('ok text="a\\', {"text": "a"}),
        ('ok text="a\\u00', {"text": "a\x00"}),
        ('ok text="a\\uxyz1" b=2', {"text": "a?", "b": "2"}),
        ("ok a=b=c  d", {"a": "b=c"}),
        ('ok a="1"2=3', {"a": "1", "2": "3"}),
        ("", {}),
    ):
        assert protocol.parse(line)[2] == facts, (line, protocol.parse(line))
    for _, line in CASES:
        for end in range(len(line)):
            protocol.parse(line[:end])


def check_answers():
    for line, is_answer in (
        ("ok", True),
        ("ok a=1", True),
        ("error reason=usage", True),
        ("event state=player", False),
        ("okay", False),
        ("", False),
    ):
        assert protocol.is_answer(line) == is_answer, line


def check_a_refusal_has_a_code_facts_and_a_sentence():
    why = protocol.Refused("out-of-range", "x is 0 to 9, not 10", ("key", "x"), ("got", 10))
    assert isinstance(why, ValueError) and str(why) == "x is 0 to 9, not 10"
    line = protocol.format("error", *why.words())
    assert line == 'error reason=out-of-range key=x got=10 text="x is 0 to 9, not 10"', line


def _text(dice):
    return "".join([_NASTY[dice.roll(len(_NASTY))] for _ in range(dice.roll(6))])


def _as_text(value):
    return ",".join([str(v) for v in value]) if isinstance(value, (list, tuple)) else str(value)
