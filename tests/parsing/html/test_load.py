"""HTML: what a reader sees, with anchors, tables and code; nothing else, and nothing fetched."""

from __future__ import annotations

import pytest

from core.errors import TooComplex
from core.parsing.html.load import load_html
from core.types import ChunkKind, LoadedDocument


def body(html: str) -> LoadedDocument:
    return load_html(f"<html><head><title>T</title></head><body>{html}</body></html>".encode())


def text(html: str) -> str:
    return "\n\n".join(page.text for page in body(html).pages)


def test_paragraphs_lists_and_line_breaks() -> None:
    found = text("<p>One\n two<br>three</p><ul><li>a<li>b<ol><li>c</ol></ul><p>end")
    assert found == "One two\nthree\n\n- a\n- b\n  1. c\n\nend"


def test_headings_carry_their_anchors() -> None:
    page = body(
        '<section id="files"><h2>Files <a class="headerlink" href="#files">¶</a></h2>'
        '<h3 id="own">Own</h3><h3><a name="named"></a>Named</h3>'
        '<dl><dt id="os.system">os.system(command)</dt><dd><p>Runs it.</p></dd></dl></section>'
    ).pages[0]
    assert [(h.level, h.title, h.anchor) for h in page.headings] == [
        (2, "Files", "files"),
        (3, "Own", "own"),
        (3, "Named", "named"),
        (7, "os.system(command)", "os.system"),
    ]
    assert "os.system(command)\nRuns it." in page.text


def test_data_tables_are_rows() -> None:
    page = body(
        "<table><caption>Ducks</caption><tr><th>Kind<th>Size<tr><td>Teal<td><ul><li>small<li>loud"
        "</ul></table>"
    ).pages[0]
    assert page.text == "Ducks\n\nKind | Size\nTeal | small; loud"
    assert page.blocks[0].kind is ChunkKind.TABLE


def test_layout_tables_are_prose() -> None:
    page = body("<table><tr><td><h1>Essay</h1><p>First.</p><p>Second.</p></td></tr></table>").pages[
        0
    ]
    assert page.text == "Essay\n\nFirst.\n\nSecond."
    assert page.blocks == ()


def test_listings_keep_their_spaces() -> None:
    page = body("<pre>if x:\n    y()\n</pre>").pages[0]
    assert page.text == "if x:\n    y()"
    assert page.blocks[0].kind is ChunkKind.CODE


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert('gone')</script>",
        "<style>.gone{}</style>",
        "<!-- gone -->",
        "<nav>gone</nav>",
        '<div role="navigation">gone</div>',
        "<template>gone</template>",
        '<img src="http://127.0.0.1:9/gone" alt="gone">',
        "<form><button>gone</button><input value=gone></form>",
        "<p hidden>gone</p>",
        '<p style="display: none">gone</p>',
        '<span style="font-size:0">gone</span>',
        '<div style="opacity:0">gone</div>',
    ],
)
def test_what_no_reader_sees_is_left_out(html: str) -> None:
    assert text(f"<p>before</p>{html}<p>after</p>") == "before\n\nafter"


def test_hidden_text_is_counted() -> None:
    notices = body('<p>Seen</p><p style="display:none">not seen</p>').notices
    assert [notice.code for notice in notices] == ["hidden-text"]
    assert "8 hidden" in notices[0].text
    assert body("<p>Seen</p><nav>menu</nav>").notices == ()


def test_content_beside_the_main_text_stays() -> None:
    found = text("<header>Head</header><main><p>Main</p></main><aside>Aside</aside><footer>Foot")
    assert found.split() == ["Head", "Main", "Aside", "Foot"]


def test_formulas_are_read_as_tex() -> None:
    assert text('<p>So <math alttext="x^2"><mi>x</mi></math> holds') == "So x^2 holds"


def test_title_and_language() -> None:
    loaded = load_html(b'<html lang="de-AT"><title> Der  Titel </title><p>Hallo')
    assert (loaded.title, loaded.language) == ("Der Titel", "de")


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [('<meta charset="windows-1251">', "cp1251"), ('<meta charset="iso-8859-1">', "cp1252")],
)
def test_the_declared_charset_is_used(declared: str, encoding: str) -> None:
    word = "Привет" if encoding == "cp1251" else "“Größe”"
    loaded = load_html(f"<html><head>{declared}</head><p>{word}".encode(encoding))
    assert loaded.pages[0].text == word
    assert loaded.notices == ()


def test_endless_nesting_that_cannot_be_undone_is_said() -> None:
    with pytest.raises(TooComplex):
        load_html(b"<html><body>" + b"<ul><li>" * 5_000 + b"deep")


def test_an_empty_page_has_no_text() -> None:
    assert not any(page.text for page in load_html(b"<html></html>").pages)
    assert not any(page.text for page in load_html(b'<div id="root"></div>').pages)
