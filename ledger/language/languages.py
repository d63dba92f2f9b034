"""Which languages there are, and which one a request asks for."""

LANGUAGES = ("vi", "en")
"""The first is spoken where nothing else is asked for."""


def negotiate(accept_language: str | None) -> str:
    """The language that an `Accept-Language` header asks for, of those there are: always one."""
    best, most = LANGUAGES[0], 0.0
    for entry in (accept_language or "").split(","):
        tag, *parameters = (part.strip() for part in entry.split(";"))
        language = tag.lower().partition("-")[0]
        weight = _weight(parameters)
        if language in LANGUAGES and weight > most:
            best, most = language, weight
    return best


def _weight(parameters: list[str]) -> float:
    """The `q` of an entry, between 0 and 1: 1 where none is given, 0 where it is no number."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            whole, _, decimals = value.strip().partition(".")
            if whole not in ("0", "1") or not (decimals or "0").isascii() or not (decimals or "0").isdigit():
                return 0.0
            return min(float(f"{whole}.{decimals[:3] or '0'}"), 1.0)
    return 1.0
