"""The secret slips: what each player may read, on which page, and who can read the file."""

from __future__ import annotations

import io
import json
import re
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
from pypdf import PdfReader
from pyramide_seats import CELLS, SONS, dealt, pyramid
from test_cli import narrator

from narrator.core.errors import NarratorError, ScriptError
from narrator.games.pyramide.roles import Deal, Prophecies, Role
from narrator.setup import sample_setting
from narrator.slips.command import write_slips
from narrator.slips.content import Frame, Slip, frame, slip_lines, slips
from narrator.slips.paper import pdf_of, write_private

LANGUAGES = ("fr", "en")
DEAL = dealt(
    {"G3": Role.QUAITHE, "B2": Role.PYAT_PREE, "B3": Role.BELWAS, "B4": Role.DAARIO, "B18": Role.COURTESAN,
     "C1": Role.HIZDAHR},
    Prophecies("B1", "M2", "G5"),
)  # fmt: skip
NAMES = sample_setting("pyramide", 38).players
DEALT = "suivant\nqui est en vie\nmj> suivant\n"  # what is typed until the roles are out
NAME = re.compile(r"\b[CMGB]\d+\b")


def pages(deal: Deal, language: str = "fr") -> Mapping[str, str]:
    """Player -> everything inside the slip."""
    return {slip.player: "\n".join(slip.paragraphs) for slip in slips(pyramid(), deal, slip_lines(language))}


# ---- whom each slip names: exactly those whom the player knows

NAMED = [
    ("Seule la Harpie a connaissance de l'ensemble des identités", "B20", {"M5", "G10", "B19", *sum(CELLS, ())}),
    ("Un Lieutenant ne connaît … que des Sbires sous son autorité et de la Harpie", "M5", {"B20", *CELLS[0]}),
    ("Un Sbire … ne connaît que l'identité de son Lieutenant", "B17", {"M5"}),
    ("a Son who is a courtesan", "B18", {"M5"}),
    ("Le serpent joue de la même manière", "B12", {"B19"}),
    ("n'est connu que des Conseillers", "C2", {"B12"}),
    ("a councillor of no camp", "C1", {"B12"}),
    ("Quaithe's prophecies", "G3", {"B1", "M2", "G5"}),
    ("anybody else", "B1", set()),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("text", "player", "known"), NAMED)
def test_a_slip_names_exactly_whom_its_player_knows(language: str, text: str, player: str, known: set[str]) -> None:
    assert set(NAME.findall(pages(DEAL, language)[player])) == known


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_serpent_s_secret_is_the_council_s(language: str) -> None:
    word = {"fr": "serpent", "en": "serpent"}[language]
    telling = {player for player, page in pages(DEAL, language).items() if word in page}
    assert telling == {"C1", "C2", "C3", "B12"}


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("C2", "Votre voix compte pour dix."),
        ("M1", "Votre voix compte pour quatre."),
        ("G1", "Votre voix compte pour deux."),
        ("B1", "Votre voix compte pour une."),
        ("M1", "Vous avez la charge de Sénéchal"),
        ("G1", "Vous êtes la Grâce Verte"),
        ("B1", "Vous êtes le Crâne Ras"),
        ("C2", "vous serez au Dédale de Mazdhan"),
        ("B20", "M5 est à vous, avec ses sbires B18, B17 et G9."),
        ("G10", "Vos sbires : B16, B15 et M4."),
        ("B12", "Vous êtes le serpent."),
        ("B5", "Vous êtes fidèle à la reine"),
        ("B5", "Vous ne connaissez le secret de personne."),
        ("G3", "Vous n’êtes d’aucun camp"),
        ("G3", "B1 doit vivre jusqu’à la fin."),
        ("B5", "Vous n’avez pas de rôle particulier."),
    ],
)
def test_what_a_slip_says(player: str, said: str) -> None:
    assert said in pages(DEAL)[player].replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_role_rank_and_office_has_its_words(language: str) -> None:
    """Each line of the file stands on some slip, and no placeholder is left over."""
    lines = slip_lines(language)
    said = "\n".join(pages(DEAL, language).values()) + "\n".join(
        pages(dealt({"B5": Role.COURTESAN}), language).values()
    )
    page = frame(lines)
    said += page.title + page.fold + page.keep
    for line, template in lines.templates.items():
        words = max(re.split(r"\{[^}]*\}", template), key=len).strip()
        assert words in said, line
    assert "{" not in said


def test_both_languages_have_the_same_lines() -> None:
    assert slip_lines("fr").ids == slip_lines("en").ids
    with pytest.raises(ScriptError):
        slip_lines("xx")


def test_a_son_alone_in_his_cell() -> None:
    small = Deal("B20", ("M5",), (("B1",),), "B1")
    assert "Votre sbire : B1." in pages(small)["M5"].replace("\u00a0", " ")


# ---- paper


def read(document: bytes) -> list[str]:
    """The text of each page, spaces made even."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(document)).pages]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_page_each(language: str) -> None:
    lines = slip_lines(language)
    made = slips(pyramid(), DEAL, lines)
    document = pdf_of(made, frame(lines))
    texts = read(document)
    assert len(texts) == 38
    for slip, text in zip(made, texts, strict=True):
        assert text.startswith(f"{lines.text('title', {})} {slip.player} ")
        for paragraph in slip.paragraphs:
            assert " ".join(paragraph.replace("\u202f", " ").split()) in text
    meta = PdfReader(io.BytesIO(document)).metadata or {}
    assert not any(SONS.harpy in str(value) for value in meta.values())


FRAME = Frame("La Grande Pyramide", "Pliez ici", "Gardez")


def test_letters_that_the_built_in_fonts_lack() -> None:
    (text,) = read(pdf_of([Slip("Łukasz", ("Дмитрий et Œnone, « été » – c’est l’œuvre",))], FRAME))
    assert "Lukasz" in text
    assert "Dmitriy et Œnone, « été » – c’est l’œuvre" in text


def test_a_name_as_long_as_names_may_be_stays_outside() -> None:
    (text,) = read(pdf_of([Slip("Wwwwwwwwww Wwwwwwwww Wwwwwwwww", ("inside",))], FRAME))
    assert text.index("Wwwwwwwwww") < text.index("Pliez ici") < text.index("inside")


def test_a_font_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "font.ttf"
    path.write_bytes(b"no font")
    for wrong in (path, tmp_path / "nowhere.ttf"):
        with pytest.raises(NarratorError, match="is no TrueType font"):
            pdf_of([], FRAME, wrong)


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "secret"
    path = write_private(b"first", folder, "slips.pdf")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert write_private(b"second", folder, "slips.pdf").read_bytes() == b"second"
    assert [file.name for file in folder.iterdir()] == ["slips.pdf"]


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NarratorError, match="the slips cannot be written"):
        write_private(b"x", tmp_path / "file", "slips.pdf")


# ---- the command


def table(folder: Path, *, seats: int = 19, **options: str) -> Path:
    path = folder / "table.toml"
    path.write_text(
        f'game = "pyramide"\nplayers = {json.dumps(NAMES[:seats])}\n'
        + "".join(f'options.{name} = "{value}"\n' for name, value in options.items()),
        encoding="utf-8",
    )
    return path


def test_a_table_is_dealt_once_and_the_evening_plays_it(tmp_path: Path) -> None:
    """The slips printed before the evening, again, and out of its journal are the same."""
    path = table(tmp_path)
    first = read(write_slips(path, tmp_path / "a").read_bytes())
    assert len(first) == 19
    assert stat.S_IMODE(path.stat().st_mode) == 0o600  # the roles are in it now
    assert read(write_slips(path, tmp_path / "b").read_bytes()) == first
    journal = tmp_path / "evening.jsonl"
    played = narrator("play", "--typed", "--fast", "--table", str(path), "--journal", str(journal), folder=tmp_path,
                      text=DEALT)  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert read(write_slips(None, tmp_path / "c", journal=journal).read_bytes()) == first


def test_the_deal_of_an_evening_that_dealt_itself(tmp_path: Path) -> None:
    journal = tmp_path / "evening.jsonl"
    play = ("play", "--typed", "--fast", "--table", str(table(tmp_path)), "--journal", str(journal))
    played = narrator(*play, folder=tmp_path, text=DEALT)
    harpy = re.search(r"Harpie : (\w+)", played.stdout.replace("\u00a0", " "))
    assert harpy
    (page,) = (
        page for page in read(write_slips(None, tmp_path, journal=journal).read_bytes()) if "la Harpie. Cette" in page
    )
    assert page.startswith(f"La Grande Pyramide {harpy[1]} ")


def test_a_seed_deals_the_same_roles(tmp_path: Path) -> None:
    def dealt_by(seed: int) -> list[str]:
        return read(write_slips(table(tmp_path), tmp_path, seed=seed).read_bytes())

    assert dealt_by(3) == dealt_by(3)
    assert dealt_by(3) != dealt_by(4)


def test_what_has_no_slips(tmp_path: Path) -> None:
    other = tmp_path / "sultan.toml"
    other.write_text(f'game = "sultan"\nplayers = {json.dumps(NAMES[:7])}\n', encoding="utf-8")
    with pytest.raises(ScriptError, match="this table plays “sultan”"):
        write_slips(other, tmp_path)
    with pytest.raises(ScriptError, match="the game master deals at this table"):
        write_slips(table(tmp_path, deal="master"), tmp_path)
    journal = tmp_path / "evening.jsonl"
    narrator("play", "--typed", "--fast", "--table", str(table(tmp_path)), "--journal", str(journal), folder=tmp_path)
    with pytest.raises(ScriptError, match="nothing has been dealt yet"):
        write_slips(None, tmp_path, journal=journal)
    journal = tmp_path / "sultan.jsonl"
    narrator("play", "--typed", "--fast", "--table", str(other), "--journal", str(journal), folder=tmp_path)
    with pytest.raises(ScriptError, match="not an evening of La Grande Pyramide"):
        write_slips(None, tmp_path, journal=journal)


def test_from_a_spreadsheet_to_paper(tmp_path: Path) -> None:
    """`setup --seats`, then `slips`, as somebody types them."""
    ranks = ["conseiller"] * 2 + ["grand maître"] * 3 + ["grâce"] * 5 + ["bête"] * 9
    rows = [
        f"{name};{rank};{'crâne ras' if name == NAMES[18] else ''}" for name, rank in zip(NAMES, ranks, strict=False)
    ]
    (tmp_path / "seats.csv").write_text("\n".join(["nom;rang;poste", *rows]), encoding="utf-8")
    path, out = tmp_path / "table.toml", tmp_path / "secret"
    seats = ("setup", "--game", "pyramide", "--lang", "fr", "--seats", str(tmp_path / "seats.csv"), "--out", str(path))
    assert narrator(*seats, "-y", folder=tmp_path).returncode == 0
    done = narrator("slips", str(path), "--out", str(out), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    pages_ = read((out / "slips.pdf").read_bytes())
    assert "Vous êtes le Crâne Ras" in pages_[18]
    assert [page.split()[3] for page in pages_] == list(NAMES[:19])
    assert not any(name in done.stdout for name in NAMES)
