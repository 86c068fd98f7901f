r"""The grammar of a console line, for both ends: logfmt, with quotes.

    event move by=machine row=2 take=3 rows=3,4,2,0
    error reason=unknown-game got=chess text="no game is called chess"

A line consists of words with spaces between them. The first word is the kind of the line, and all
other words are key=value. In an event, the second word may have no `=`. A word is in double
quotes, with \" \\ \n \uXXXX and \UXXXXXXXX inside, if it is empty or contains a space, a quote,
`=` or anything except printable ASCII. A list has commas between its items.
"""

OK, ERROR, EVENT = "ok", "error", "event"
LONGEST = 400  # the most bytes in a typed line


class Refused(ValueError):
    """The exception for a request that cannot be carried out. `reason` is a code for programs,
    str() returns a sentence for people, and `facts` are (key, value) pairs."""

    def __init__(self, reason, text, *facts):
        super().__init__(text)
        self.reason = reason
        self.facts = facts

    def words(self):
        """Return the words of the refusal, for `format`."""
        return (("reason", self.reason),) + self.facts + (("text", str(self)),)


class IllegalMove(Refused):
    """The exception for a request that is not a legal move. The match is unchanged."""

    def __init__(self, text):
        super().__init__("illegal-move", text)


def format(*words):
    """Return a line with these words. Each word is a string or a (key, value) pair. A value is a
    text, a number, or a list or tuple of these."""
    return " ".join([w if isinstance(w, str) else "=".join([_word(x) for x in w]) for w in words])


def parse(line):
    """Return the kind of a line, its topic (the second word, or the key in it), and a dict of its
    values. This works for any `line` and raises no exception."""
    kind = what = None
    facts = {}
    at = 0
    while at < len(line):
        key, at = _read(line, at, " =")
        value = None
        if line[at : at + 1] == "=":
            value, at = _read(line, at + 1, " ")
        if line[at : at + 1] == " ":
            at += 1
        if kind is None:
            kind = key
        elif key or value is not None:
            what = key if what is None else what
            if value is not None:
                facts[key] = value
    return kind or "", what or "", facts


def whole_number(text, most=9):
    """Return the int in a text of at most `most` decimal digits. Raises Refused for other
    texts."""
    digits = text[1:] if text[:1] == "-" else text
    if not 1 <= len(digits) <= most or not all([c in "0123456789" for c in digits]):
        why = "%s is not a whole number of 1 to %d digits" % (text, most)
        raise Refused("not-a-number", why, ("got", text))
    return int(text)


def is_answer(line):
    """Return True if `line` answers a command, and False if it is unsolicited."""
    return line.split(" ")[0] in (OK, ERROR)


def _word(value):
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    text = str(value)
    plain = _is_printable(text)
    if text and plain and " " not in text and '"' not in text and "=" not in text:
        return text
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    if not plain and not _is_printable(text):
        text = "".join([_escaped(c) for c in text])
    return '"%s"' % text


def _is_printable(text):
    """Return True if `text` is printable ASCII. For a traceback of 600 characters this takes 1.4
    ms on a Pico. A loop over the characters would take 37 ms."""
    try:
        data = text.encode()
    except UnicodeError:  # half of a surrogate pair
        return False
    return len(data) == len(text) and (not data or min(data) >= 32) and "\x7f" not in text


def _escaped(char):
    if " " <= char <= "~":
        return char
    return "\\u%04x" % ord(char) if ord(char) < 0x10000 else "\\U%08x" % ord(char)


def _read(line, at, ends):
    """Return the word that begins at `at`, and the index of its end, which is before one of `ends`
    or after its closing quote."""
    if line[at : at + 1] != '"':
        end = len(line)
        for char in ends:
            found = line.find(char, at, end)
            if found >= 0:
                end = found
        return line[at:end], end
    word = ""
    at += 1
    while at < len(line) and line[at] != '"':
        char = line[at]
        if char == "\\":
            at += 1
            char = line[at : at + 1]
            more = 4 if char == "u" else 8 if char == "U" else 0
            if more:
                char = _char(line[at + 1 : at + 1 + more])
                at += more
            elif char == "n":
                char = "\n"
        word += char
        at += 1
    return word, at + 1


def _char(digits):
    try:
        return chr(int(digits, 16))
    except (ValueError, OverflowError):  # the line was cut short in transit
        return "?"
