"""Lines: complete in every language, filled for one and for many, and set in proper type."""

from __future__ import annotations

import re
from typing import Any

import pytest
from evening import production, table

from narrator.core.errors import ScriptError
from narrator.core.lines import Lines, number_words
from narrator.core.script import Source
from narrator.library import TABLE_FACTS, data_folder, game_ids, languages_of, read_source
from narrator.workshop.texts import lines_of_strangers

GAMES = [(game, language) for game in game_ids() for language in languages_of(game)]
FOLDERS = ("_table", *game_ids())
LANGUAGES = languages_of("_table")


def source(folder: str, language: str) -> Source:
    return read_source(data_folder("scripts") / folder / f"{language}.toml")


def lines_of(folder: str, language: str) -> dict[str, str]:
    return dict(source(folder, language).data["lines"])


# ---- completeness


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("part", ["lines", "sentences", "names"])
def test_every_language_has_the_same_ids(folder: str, part: str) -> None:
    assert set(languages_of(folder)) >= {"fr", "en"}
    first, *others = (set(source(folder, language).data[part]) for language in languages_of(folder))
    for other in others:
        assert first == other


def test_a_game_is_written_in_every_language_of_the_table() -> None:
    for folder in FOLDERS:
        assert languages_of(folder) == LANGUAGES


@pytest.mark.parametrize("folder", FOLDERS)
def test_languages_fill_a_line_with_the_same_facts(folder: str) -> None:
    """A translation that drops a number or a name is an oversight."""
    holes = {}
    for language in languages_of(folder):
        for line, text in lines_of(folder, language).items():
            holes.setdefault(line, []).append(set(re.findall(r"[{\[]([a-z_]+)", text)))
    assert {line: found for line, found in holes.items() if found[0] != found[1]} == {}


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_every_line_is_used(game: str, language: str) -> None:
    """By the script, by the rules, or as the advice of an undo; what nobody says is not kept."""
    staged = production(table(7, language=language, game=game))
    used = {line for line, _ in staged.game.script.lines_used()}
    if hasattr(staged.game.rules, "lines_needed"):
        used |= {line for line, _ in staged.game.rules.lines_needed(staged.game.script)}
    code = "".join(p.read_text("utf-8") for p in data_folder("scripts").parent.glob("narrator/**/*.py"))
    phases = staged.game.script.phases
    intents = {on for _, on in staged.game.script.moves}
    used |= lines_of_strangers(staged.game.rules)
    for line in lines_of(game, language):
        undo = line.removeprefix("undo_")
        advice = line.startswith("undo_") and (
            undo in intents or undo in phases or any(undo == f"{p}_{i}" for p in phases for i in intents)
        )
        variant = any(line == f"{known}_{phase}" for known in used for phase in phases)
        assert line in used or advice or variant or f'"{line}"' in code, line


# ---- every line can be said


def sample(game: str, number: int, flag: bool) -> dict[str, Any]:
    """Facts of the right kind for every name a line may use: one or several, true or false."""
    staged = production(table(7, game=game))
    course = staged.game.opening(True)
    names = ("Alice", "Bob", "Chloé", "David")[: max(number, 0)]
    facts: dict[str, Any] = {}
    view = getattr(staged.game.rules, "private_view", staged.game.rules.view)
    for name, value in view(course.state).items():
        if isinstance(value, bool):
            facts[name] = flag
        elif isinstance(value, int):
            facts[name] = number
        elif isinstance(value, tuple):
            facts[name] = names
        else:
            facts[name] = "Emma" if flag or name != "gv" else ""
            if name.endswith("_text"):  # a whole text brings its own stop
                facts[name] = "Emma !"
    facts |= {"player": "Alice", "other": "Bob", "tale": "pacifist", "winner": "pacifist", "power": "B"}
    facts |= dict.fromkeys(("n", "called", "missing", "minutes_left", "seconds_left", "count"), number)
    facts |= {"intent": "propose", "value": "Alice", "question": "", "near": "oui", "examples": names, "names": names}
    secrets = getattr(staged.game.rules, "private_fact_names", frozenset())
    for name in staged.game.rules.fact_names | secrets | TABLE_FACTS:
        facts.setdefault(name, "Emma")
    return facts


@pytest.mark.parametrize(("game", "language"), GAMES)
@pytest.mark.parametrize("number", [0, 1, 2, 4])
@pytest.mark.parametrize("flag", [True, False])
def test_every_line_renders(game: str, language: str, number: int, flag: bool) -> None:
    lines = production(table(7, language=language, game=game)).lines
    facts = sample(game, number, flag)
    for line in lines.ids:
        text = lines.text(line, facts)
        assert text
        assert not re.search(r"[{}\[\]|]|  |None|True|False", text), (line, text)
        assert not text[0].islower(), (line, text)
        row = line.removeprefix("mj_").startswith("row_")  # a part of a sentence
        assert row or text[-1] in ".?!…»", (line, text)
        assert not re.search(r"[,;:] ?[.?!]|\.\.", text), (line, text)


@pytest.mark.parametrize(
    ("language", "line", "facts", "text"),
    [
        ("fr", "count_is", {"yes": 4, "no": 3}, "Quatre oui, trois non."),
        ("fr", "tales_now", {"pile": 1, "discard": 1}, "Il reste un conte dans la pioche et un dans la défausse"),
        ("fr", "tales_now", {"pile": 8, "discard": 21}, "huit contes dans la pioche et vingt-et-un dans"),
        ("fr", "c_after", {"gv": "Alice"}, "à la gauche d’Alice."),
        ("fr", "c_after", {"gv": "Bob"}, "à la gauche de Bob."),
        ("fr", "c_after", {"gv": "Yves"}, "à la gauche d’Yves."),
        ("fr", "c_after", {"gv": "Yann"}, "à la gauche de Yann."),
        ("fr", "c_after", {"gv": "Yáñez"}, "à la gauche de Yáñez."),
        ("fr", "c_after", {"gv": "Émile"}, "à la gauche d’Émile."),
        ("fr", "c_after", {"gv": "Óscar"}, "à la gauche d’Óscar."),
        ("fr", "c_after", {"gv": "Øystein"}, "à la gauche d’Øystein."),
        ("fr", "minutes_only", {"minutes_left": 1}, "Il reste une minute."),
        ("fr", "minutes_only", {"minutes_left": 21}, "Il reste vingt-et-une minutes."),
        (
            "fr",
            "setup_roles",
            {"interventionists": 4, "pacifists": 1},
            "quatre Interventionnistes, une Pacifiste et Dinarzade",
        ),
        ("en", "count_is", {"yes": 4, "no": 3}, "Four yes, three no."),
        ("en", "tales_now", {"pile": 1, "discard": 0}, "There is one tale left in the pile and zero in the discard"),
        ("en", "tales_now", {"pile": 0, "discard": 2}, "There are zero tales left in the pile and two in"),
        ("en", "tale_read", {"tale": "pacifist", "interventionist": 0, "pacifist": 1}, "Pacifist tale. Zero of five"),
        ("en", "eligible_now", {"eligible": ("Bob", "Chloé", "Emma")}, "Bob, Chloé and Emma."),
    ],
)
def test_numbers_and_names_are_written_out(language: str, line: str, facts: dict[str, Any], text: str) -> None:
    lines = production(table(7, language=language)).lines
    view = production(table(7)).game.rules.view(production(table(7)).game.opening(True).state)
    view |= {"eligible_any": True, "in_hand": False, "barred_any": False}
    assert text in lines.text(line, {**view, **facts})


def test_a_line_needs_its_facts() -> None:
    lines = production(table(7)).lines
    with pytest.raises(ScriptError, match="nothing known as"):
        lines.text("count_is", {"yes": 4})
    with pytest.raises(ScriptError, match="no line"):
        lines.text("no_such_line", {})


def test_numbers_in_words() -> None:
    assert [number_words(n, "fr") for n in (0, 1, 17, 21)] == ["zéro", "un", "dix-sept", "vingt-et-un"]
    assert number_words(21, "fr", "f") == "vingt-et-une"
    assert number_words(1, "fr", "thf") == "première"
    assert [number_words(n, "en") for n in (0, 12, 22)] == ["zero", "twelve", "twenty-two"]
    assert number_words(3, "en", "th") == "third"


def test_lists() -> None:
    def written(names: tuple[str, ...], text: str, language: str = "fr") -> str:
        made = Lines(language, [Source("x.toml", {"lines": {"a": text}}, {})])
        return made.text("a", {"names": names})

    assert written(("Bob",), "{names}") == "Bob"
    assert written(("Bob", "Zoé"), "{names}") == "Bob et Zoé"
    assert written(("Bob", "Zoé", "Ana"), "{names:or}") == "Bob, Zoé ou Ana"
    assert written(("Bob", "Zoé", "Ana"), "{names}", "en") == "Bob, Zoé and Ana"
    assert written((), "{names}") == "Personne"


# ---- typography


def unbraced(text: str) -> str:
    """The text without its placeholders, whose signs are not typography; chosen forms stay."""
    text = re.sub(r"\{[a-z_]\w*(?::\w+)?\?([^{}|]*)\|([^{}|]*)\}", r"\1 \2", text)
    return re.sub(r"[{\[][a-z_]\w*(?::\w+)?[}\]]", "x", text)


@pytest.mark.parametrize("folder", FOLDERS)
def test_french_typography(folder: str) -> None:
    """No-break spaces before ? ! ; : and inside « »; the apostrophe is ’."""
    for line, text in lines_of(folder, "fr").items():
        text = unbraced(text)
        assert not re.search(r"(?<![\u00a0\u202f])[?!;:]", text), (line, text)
        assert not re.search(r"«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»", text), (line, text)
        assert text.count("«") == text.count("»"), (line, text)
        assert not re.search(r"[\u00a0\u202f](?![?!;:»\w])", text), (line, text)
        assert "'" not in text, (line, text)
        assert "..." not in text, (line, text)
        assert '"' not in text, (line, text)


@pytest.mark.parametrize("folder", FOLDERS)
def test_english_typography(folder: str) -> None:
    """Nothing before ? ! ; :, curly quotes and apostrophes."""
    for line, text in lines_of(folder, "en").items():
        text = unbraced(text)
        assert not re.search(r"[\s\u00a0\u202f][?!;:]", text), (line, text)
        assert not re.search(r"['\"«»]|\.\.\.", text), (line, text)
        assert text.count("“") == text.count("”"), (line, text)


@pytest.mark.parametrize("game", game_ids())
def test_no_french_line_runs_two_vowels_together(game: str) -> None:
    """A name, or the number one, behind “de” or “que”; what is said of many needs no care."""
    many, stumbles = re.compile(r"\|[^}]*"), re.compile(r"\b(de|que) [{[]\w+(:f)?[]}]")
    lines = read_source(data_folder("scripts") / game / "fr.toml").data["lines"]
    assert not [line for line, text in lines.items() if stumbles.search(many.sub("|", text))]
