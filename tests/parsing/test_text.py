"""Plain text of every encoding, and its parts."""

from __future__ import annotations

import codecs

import pytest

from core.parsing.builder import PART_SIZE, Draft, TextBuilder, split_parts
from core.parsing.encodings import decode
from core.parsing.text import load_text
from core.types import Block, ChunkKind, DocumentKind, Heading

GERMAN = "Über die Größe der Straßen in Köln läßt sich trefflich streiten.\n" * 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_and_plain_unicode_is_read_without_a_word(encoding: str) -> None:
    decoded = decode(GERMAN.encode(encoding))
    assert decoded.text == GERMAN
    assert decoded.note is None


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding: str) -> None:
    assert decode(GERMAN.encode(encoding)).text == GERMAN


def test_a_guess_is_said() -> None:
    decoded = decode(GERMAN.encode("cp1252"))
    assert decoded.text == GERMAN
    assert decoded.note is not None
    assert "please check" in decoded.note.text


def test_a_few_western_letters_are_cp1252() -> None:
    decoded = decode("naïve café – 5 €".encode("cp1252"))
    assert (decoded.text, decoded.encoding) == ("naïve café – 5 €", "cp1252")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. Dnes je krásný den a svítí slunce.", "cp1250"),
        ("Zażółć gęślą jaźń. Dziś jest piękny dzień i świeci słońce nad łąką.", "cp1250"),
        ("Zażółć gęślą jaźń. Dziś jest piękny dzień i świeci słońce nad łąką.", "iso8859_2"),
        ("Bugün hava çok güzel ve güneş ışıldıyor. İstanbul'da yaşıyorum.", "cp1254"),
        ("El niño comió una piña y después se fue a la montaña.", "cp1252"),
        ("Сегодня хорошая погода и светит солнце.", "cp1251"),
        ("Σήμερα ο καιρός είναι πολύ καλός και λάμπει ο ήλιος.", "cp1253"),
    ],
)
def test_single_byte_encodings_by_the_alphabet_of_their_language(text: str, encoding: str) -> None:
    assert decode((text + "\n").encode(encoding) * 10).text == (text + "\n") * 10


def test_one_bad_line_does_not_spoil_the_others() -> None:
    data = GERMAN.encode() + "Grüße\n".encode("cp1252")
    decoded = decode(data)
    assert decoded.text == GERMAN + "Grüße\n"
    assert decoded.note is not None
    assert decoded.note.code == "mixed-encoding"


def test_text_encoded_twice_is_mended() -> None:
    decoded = decode("1986–1990 “Watford”".encode().decode("latin-1").encode())
    assert decoded.text == "1986–1990 “Watford”"
    assert decoded.note is not None


def test_a_declared_charset_goes_before_guessing() -> None:
    decoded = decode("Привет, мир".encode("koi8-r"), declared="koi8-r")
    assert decoded.text == "Привет, мир"
    assert decode(b"\xff\xfe\x80", declared="no-such-charset").text


def test_a_long_text_is_cut_into_parts_at_blank_lines() -> None:
    paragraph = "word " * 199 + "end."
    text = "\n\n".join([paragraph] * 120)
    loaded = load_text(text.encode())
    assert loaded.kind is DocumentKind.TEXT
    assert len(loaded.pages) > 1
    assert "".join(page.text for page in loaded.pages) == text
    assert all(len(page.text) <= PART_SIZE for page in loaded.pages)
    assert all(page.text.startswith("word") for page in loaded.pages)
    assert all(page.number is None for page in loaded.pages)


def test_a_giant_line_is_cut_too() -> None:
    loaded = load_text(b"x" * (2 * PART_SIZE + 7))
    assert [len(page.text) for page in loaded.pages] == [PART_SIZE, PART_SIZE, 7]


def test_parts_keep_headings_and_blocks_where_they_stand() -> None:
    text = "a" * 70 + "\n\n" + "H" + "\n\n" + "b" * 60
    draft = Draft(text, (Heading(72, 1, "H"),), (Block(75, 135, ChunkKind.CODE),))
    first, second = split_parts(draft, size=100)
    assert first.text + second.text == text
    assert second.headings == (Heading(0, 1, "H"),)
    assert second.blocks == (Block(3, 63, ChunkKind.CODE),)


def test_a_builder_counts_what_it_leaves_out() -> None:
    builder = TextBuilder()
    builder.heading(1, "Ti\u200btle")
    builder.paragraph("  \u200b ")
    builder.block("a | b", ChunkKind.TABLE)
    draft = builder.draft()
    assert draft.text == "Title\n\na | b"
    assert draft.hidden == 2
    assert draft.blocks == (Block(7, 12, ChunkKind.TABLE),)


def test_utf8_with_a_bom_inside_utf16_bytes_is_not_confused() -> None:
    assert decode(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le")).text == "ab"
