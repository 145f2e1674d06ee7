"""Every sentence of a fault has its French, found by walking the source; and whoever reads French is told in French."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import TABLE, narrator

import narrator as package
from narrator.core.errors import DeviceError, ModelError, NarratorError, RuleError, ScriptError
from narrator.faults import FILE, HOLE, NUMBERED, Sentence, sentences, told

ROOT = Path(package.__file__).parent
#: What raises, finds or logs a sentence: the name of the call -> which argument the sentence is.
CALLS = {
    **dict.fromkeys(("NarratorError", "ScriptError", "RuleError", "DeviceError", "ModelError", "fault", "_fault"), 0),
    "Finding": 2,
    "at": 3,
    "warning": 0,
    "exception": 0,
}
#: Calls whose text is a sentence already told (words), or one that was raised before.
FORWARDED = ("words", "words_in", "str")
CATALOGUE = tomllib.loads(FILE.read_text(encoding="utf-8"))
NOT_RAISED = ("parts", "system")
RAISED = {english for name, table in CATALOGUE.items() if name not in NOT_RAISED for english in table}


def templates(node: ast.AST) -> Iterator[str | None]:
    """The templates that an expression may be, with {} for what fills them; None for one that cannot be told."""
    if forwarded(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.replace("%s", HOLE)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from templates(node.body)
        yield from templates(node.orelse)
    else:
        yield None


def forwarded(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "message"  # of an error
    return isinstance(node, ast.Call) and (
        (isinstance(node.func, ast.Name) and node.func.id in FORWARDED)
        or (isinstance(node.func, ast.Attribute) and node.func.attr == "join" and "words" in ast.unparse(node))
    )


def meant(tree: ast.AST, function: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The expression, or what a name stands for in its function, or what a function of the same file gives back.

    A parameter is somebody else's sentence.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        every = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == node.func.id]
        given = [one.value for function in every for one in ast.walk(function) if isinstance(one, ast.Return)]
        return [value for value in given if value is not None] or [node]
    if not isinstance(node, ast.Name):
        return [node]
    named = [
        (target, one.value)
        for one in ast.walk(function)
        if isinstance(one, (ast.Assign, ast.NamedExpr)) and one.value is not None
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
    ]
    values = [value for target, value in named if isinstance(target, ast.Name) and target.id == node.id]
    return [
        one for value in values for one in (meant(tree, function, value) if isinstance(value, ast.Call) else [value])
    ]


def sentence_of(call: ast.Call) -> ast.AST | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("warning", "exception") and "log" not in ast.unparse(call.func):
        return None
    if name == "super" or name not in CALLS or len(call.args) <= CALLS[name]:
        return None
    return call.args[CALLS[name]]


def raised(path: Path, text: str = "") -> Iterator[tuple[str, str | None]]:
    """(file:line, template) of every sentence raised in a file."""
    tree = ast.parse(text or path.read_text(encoding="utf-8"))
    functions = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]
    inmost = {call: function for function in functions for call in ast.walk(function) if isinstance(call, ast.Call)}
    for call, function in inmost.items():
        sentence = sentence_of(call)
        for node in meant(tree, function, sentence) if sentence is not None else ():
            for template in templates(node):
                yield f"{path}:{call.lineno}", template


SITES = [
    site for path in sorted(ROOT.rglob("*.py")) for site in raised(path.relative_to(ROOT.parent), path.read_text())
]


def says_something(template: str) -> bool:
    return any(letter.isalpha() for letter in template.replace(HOLE, ""))


def test_the_sentences_are_found() -> None:
    assert len({template for _, template in SITES}) > 350
    text = "def f(x):\n    m = f'a {x}'\n    raise RuleError(m)\ndef g(e):\n    raise s.fault('b' if e else 'c', 1)\n"
    assert [site for _, site in raised(Path("x.py"), text)] == ["a {}", "b", "c"]
    assert [site for _, site in raised(Path("x.py"), "raise DeviceError('a' + b)")] == [None]


def test_every_sentence_is_a_template() -> None:
    """Text put together in other ways could not be told in another language."""
    assert [f"{where}: write one sentence, with holes" for where, template in SITES if template is None] == []


def test_every_sentence_has_its_french() -> None:
    every = {template for where, template in SITES if template and says_something(template)}
    missing = [f"{where}: {template}" for where, template in SITES if template in every - RAISED]
    assert not missing, f"{FILE.name} lacks the French of these:\n" + "\n".join(missing)


def test_no_french_is_left_over() -> None:
    stale = sorted(RAISED - {template for _, template in SITES})
    assert not stale, f"{FILE.name} has sentences that are raised nowhere any more:\n" + "\n".join(stale)


def test_every_part_is_written_somewhere() -> None:
    texts = {
        re.sub(r"\{\w*\}", HOLE, template)
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for template in templates(node)
        if template
    }
    parts = {re.sub(r"\{\w*\}", HOLE, part) for part in CATALOGUE["parts"]}
    assert sorted(parts - texts) == [], "written nowhere any more"


@pytest.mark.parametrize("name", CATALOGUE)
def test_french_has_the_same_holes(name: str) -> None:
    for english, french in CATALOGUE[name].items():
        holes = [int(hole) for hole in NUMBERED.findall(french)]
        if name != "system":  # a number of the system is of no use to anybody
            assert sorted(set(holes)) == list(range(english.count(HOLE))), english
        assert all(hole < english.count(HOLE) for hole in holes), english
        assert HOLE not in french, english


#: What is not prose: "…" and '…' are commands and keys, and so is anything in brackets or braces.
CODE = re.compile(r"http\(s\)://|\"[^\"]*\"|'[^']*'|\[[^\]]*\]|\{[^}]*\}|\w+://\S*|\S+:\w+\S*|--\w+")
SLIPS = {
    "the apostrophe is ’": r"\w'\w",
    "a narrow no-break space stands before ; ? and !": r"[^\u202f?!][;?!]",
    "a no-break space stands before :": r"[^\u00a0]:",
    "a no-break space stands inside « »": r"«(?!\u00a0)|(?<!\u00a0)»",
    "quotation marks are « »": r"[“”\"]",
    "three dots are one sign": r"\.\.\.",
    "two spaces": r"\s\s(?!$)",
    "a sentence has no full stop": r"\.$",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_french_is_well_set(slip: str) -> None:
    about_typography = ("quotation marks", "a no-break space", "no space")  # they show what they speak of
    wrong = [
        french
        for table in CATALOGUE.values()
        for english, french in table.items()
        if not english.startswith(about_typography) and re.search(SLIPS[slip], CODE.sub("x", french))
    ]
    assert wrong == [], slip


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")


def plain(text: str) -> str:
    """Without what the eye does not see: every no-break space is a space."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.usefixtures("french")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (RuleError("option “x” does not exist; known are: a, b"), "l’option « x » n’existe pas ; il y a : a, b"),
        # the place stays as it is
        (ScriptError("a sign is one character", "fr.toml", 3), "fr.toml:3: un signe tient en un seul caractère"),
        (ScriptError("this file does not exist", "C:\\t.toml"), "C:\\t.toml: ce fichier n’existe pas"),
        ("/a b/t.toml:2: “game” is missing", "/a b/t.toml:2: il manque « game »"),
        # holes: told too where they are sentences themselves, but not what is quoted
        (
            ScriptError("this is not valid TOML: Unclosed array (at line 2, column 5)", "t.toml", 2),
            "t.toml:2: ce n’est pas du TOML valable : il manque un « ] » à la liste (ligne 2, colonne 5)",
        ),
        (RuleError("late: “a list” is not one of the players"), "late : « a list » n’est pas à cette table"),
        (ScriptError("line “x”: nothing is known as “line”"), "ligne « x » : rien ne s’appelle « line »"),
        (ScriptError("write every role as a [[role]] of its own"), "écrivez chaque rôle dans son propre [[role]]"),
        # in another order
        (ScriptError("“paria” is no rank; there are: a, b", "s.csv", 4), "s.csv:4: rang « paria » : cela n’existe pas"),
        # two hints
        (
            ScriptError("“folw” is not known here; did you mean “flow”?; known are: flow, say"),
            "« folw » n’existe pas ici ; vouliez-vous dire « flow » ? Il y a : flow, say",
        ),
        # the most specific one
        (DeviceError("/x cannot be written (File exists): free some disk space"), "; libérez de la place".lstrip("; ")),
        (
            DeviceError(
                "a microphone cannot be opened (there is none): plug it in, or choose another device, "
                "or play with the keyboard"
            ),
            "impossible d’ouvrir un micro (il n’y en a pas) : branchez-le, ou choisissez un autre appareil, "
            "ou jouez au clavier",
        ),
        # what a tool says is quoted as a detail
        (
            ModelError("x.mp3 cannot be read (x.mp3: Invalid data found when processing input)"),
            "x.mp3 est illisible (« x.mp3: Invalid data found when processing input »)",
        ),
        (
            NarratorError("f.ttf: this is no TrueType font that can be used (bad sfnt version here)"),
            "(« bad sfnt version here »)",
        ),
        (DeviceError("graphviz did not run: no such thing"), "graphviz n’a pas démarré : « no such thing »"),
        (
            DeviceError(
                "the page for the phones cannot be opened on 0.0.0.0:80 (error while attempting to bind on address "
                "('0.0.0.0', 80): address already in use): the evening goes on without; choose another port with --web"
            ),
            "ne peut pas s’ouvrir sur 0.0.0.0:80 (ce port est déjà pris) : la soirée continue",
        ),
        # what nobody has translated
        (ModelError("kaldi: segmentation of “x”; sorry"), "kaldi: segmentation of “x”; sorry"),
        (NarratorError(""), ""),
    ],
)
def test_a_fault_is_told_in_french(fault: Exception | str, said: str) -> None:
    assert said in plain(told(fault))


@pytest.mark.usefixtures("french")
@pytest.mark.parametrize("sentence", sentences(), ids=lambda sentence: sentence.english[:40])
def test_every_sentence_is_found_again(sentence: Sentence) -> None:
    """Filled with anything, it is told in its own French and in no other one's."""
    filled = sentence.english
    for number in range(sentence.english.count(HOLE)):
        filled = filled.replace(HOLE, f"⟨{number}⟩", 1)
    assert told(filled) == NUMBERED.sub(lambda hole: f"⟨{hole[1]}⟩", sentence.french)


@pytest.mark.usefixtures("french")
def test_whoever_can_say_it_in_words_is_not_told_twice() -> None:
    assert told("il n’y a aucune soirée interrompue à reprendre") == "il n’y a aucune soirée interrompue à reprendre"


def test_english_stays_as_it_was_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert told(ScriptError("a sign is one character", "fr.toml", 3)) == "fr.toml:3: a sign is one character"


@pytest.mark.usefixtures("french")
def test_a_damaged_installation_still_tells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("narrator.faults.FILE", tmp_path / "gone.toml")
    sentences.cache_clear()
    try:
        assert told(RuleError("a sign is one character")) == "a sign is one character"
    finally:
        sentences.cache_clear()


TABLES = [
    (
        'game = "sultan"\nplayers = ["Alice", "Bob"\n',
        ":2: ce n’est pas du TOML valable : il manque un « ] » à la liste",
    ),
    ('game = "chess"\nplayers = ["A", "B"]\n', "il n’y a pas de jeu « chess »"),
    ('game = "sultan"\nplayers = ["Alice", "Bob"]\n', "sultan se joue de 5 à 10 joueuses, vous êtes 2"),
    ('game = "sultan"\nplayers = ["A", "B", "C", "D", "A"]\n', ":2: deux joueuses s’appellent « A »"),
    ('game = "sultan"\nplayers = 3\n', ":2: players est une liste de prénoms, dans le sens des aiguilles"),
    (TABLE + "[options]\nmoustache = true\n", "l’option « moustache » n’existe pas ; il y a : "),
    (TABLE + '[options]\npacifist_board = ["A"]\n', "pacifist_board demande 6 lettres, il y en a 1"),
    (TABLE.replace('"Alice"\n', '"Zorro"\n'), "first = « Zorro » : ce n’est pas une joueuse de cette table"),
    (TABLE + "[seats]\nx = 1\n", ":4: « seats » n’existe pas dans une table ; "),
]


@pytest.mark.parametrize(("table", "said"), TABLES, ids=[said[:30] for _, said in TABLES])
def test_a_wrong_table_is_told_in_french(tmp_path: Path, table: str, said: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(table, encoding="utf-8")
    done = narrator("play", "--typed", "--fast", "--table", str(path), folder=tmp_path)
    assert done.returncode == 1
    assert said in plain(done.stderr)
    assert done.stderr.startswith("narrator: ")
    if said.startswith(":"):
        assert f"{path}:" in done.stderr
    english = narrator("play", "--typed", "--fast", "--table", str(path), folder=tmp_path, lang="en_GB.UTF-8")
    assert not re.search("[àéèêç’«»]", english.stderr.replace(str(path), ""))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("play", "--typed", "--table", "nulle-part.toml"), "nulle-part.toml: ce fichier n’existe pas"),
        (("rehearse", "échecs"), "il n’y a pas de jeu « échecs » ; il y a : bourreau"),
        (("voices", "use", "a b/c"), "il n’y a pas de voix « a b/c » pour « fr » ici : choisissez parmi "),
        (("ears", "use", "nulle"), "il n’y a pas d’oreille « nulle » ici : voyez « narrator ears list »"),
        (("diagram", "sultan", "--out", "nulle-part/x.svg"), "graphviz n’a pas pu écrire nulle-part/x.svg : « "),
        (("story", "--journal", "nulle-part.jsonl"), "nulle-part.jsonl: ce journal est illisible (fichier ou dossier"),
    ],
)
def test_a_wrong_command_is_told_in_french(tmp_path: Path, command: tuple[str, ...], said: str) -> None:
    done = narrator(*command, folder=tmp_path)
    assert done.returncode == 1
    assert said in plain(done.stderr)


def test_a_games_author_is_told_in_french(tmp_path: Path) -> None:
    for name in ("game.toml", "fr.toml"):
        text = (ROOT.parent / "scripts" / "village" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace('flow = "', 'folw = "', 1), encoding="utf-8")
    done = narrator("check", str(tmp_path), folder=tmp_path)
    assert done.returncode == 1
    assert re.search(r"game\.toml:\d+: « folw » n’existe pas ici ; vouliez-vous dire « flow » \?", plain(done.stdout))
