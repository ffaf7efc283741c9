"""A saved page: its main text is read, not what the site puts around it."""

from __future__ import annotations

import pytest

from core.parsing.html.load import load_html
from core.types import LoadedDocument

TITLE = "Keeping hens in a small garden"
PARAGRAPHS = [
    f"Paragraph {number}: hens want {thing}, and whoever keeps them in a small garden plans for it "
    "before the first of them arrives, as it is hard to make up for it afterwards."
    for number, thing in enumerate(("shade", "sand to bathe in", "a dry coop", "company"), 1)
]
TEASER = "<li><a href='/x'>Can artichokes be eaten raw?</a></li>"
TEASERS = f"<ul>{TEASER * 4}</ul>"
LONG = (
    "A reader writes that every one of the hens that she has kept disliked the rain and the wind, "
    "and not one of them the snow."
)


def page(
    before: str = "", after: str = "", *, main: str = "", title: str = TITLE
) -> LoadedDocument:
    text = main or "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    return load_html(
        f"<html><head><title>{title}</title></head><body><div id='page'>{before}"
        f"<div class='content'>{text}</div>{after}</div>"
        "<footer><p>© Copyright 2024 The Garden Paper</p></footer></body></html>".encode()
    )


def text(document: LoadedDocument) -> str:
    return "\n\n".join(part.text for part in document.pages)


def test_teasers_comments_and_the_foot_are_left_out_and_counted() -> None:
    comments = f"<div id='comments'><h2>Comments</h2>{f'<p>{LONG}</p>' * 9}</div>"
    read = page(f"<div><a href='/'>Home</a></div>{TEASERS}", f"{TEASERS}{comments}")
    assert text(read) == "\n\n".join(PARAGRAPHS)
    (notice,) = read.notices
    assert (notice.code, notice.level) == ("boilerplate", "info")
    assert "around the main text" in notice.text
    assert "PDF" in notice.cure
    assert read.attribution == "© Copyright 2024 The Garden Paper"


def test_teasers_within_the_main_text_are_left_out_and_what_was_found_is_not() -> None:
    share = "<div class='share-buttons'><a href='/f'>Share it with a friend of yours</a></div>"
    teaser = f"<div class='box teaser-list'><h2>Most read of all this week</h2>{TEASERS}</div>"
    called_so = f"<div class='recommended-breeds'><p>{PARAGRAPHS[2]}</p></div>"
    title = f"<div class='teaser'><h1>{TITLE}</h1></div>"
    plain = "<div class='box'><h2>What hens need first of all</h2></div>"
    first, second, _, last = (f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    main = title + first + share + second + teaser + plain + called_so + last
    assert text(page(main=main)) == "\n\n".join(
        [TITLE, *PARAGRAPHS[:2], "What hens need first of all", *PARAGRAPHS[2:]]
    )


def test_the_title_and_the_lines_below_it_are_kept() -> None:
    head = f"<div>{TEASERS}</div><div><h1>{TITLE}</h1></div><div>By Ada Moor, 3 May</div>"
    assert text(page(head)).startswith(f"{TITLE}\n\nBy Ada Moor, 3 May\n\nParagraph 1")


def test_a_heading_that_the_title_of_the_page_has_stands_for_a_missing_first_level() -> None:
    read = page(f"<div>Menu</div><div><h2>{TITLE}</h2></div>", title=f"{TITLE} | The Garden Paper")
    assert text(read).startswith(f"{TITLE}\n\nParagraph 1")


def test_tables_and_code_of_the_main_text_stay_as_they_are() -> None:
    rows = "<tr><th>Breed</th><th>Eggs</th></tr><tr><td>Sundheimer</td><td>220</td></tr>"
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    read = page(
        main=f"{paragraphs}<table>{rows}</table><pre>coop --open\n  --at 7:00</pre>", after=TEASERS
    )
    assert "Breed | Eggs\nSundheimer | 220" in text(read)
    assert "coop --open\n  --at 7:00" in text(read)
    assert "artichokes" not in text(read)


def test_of_several_articles_on_a_page_none_is_left_out() -> None:
    others = f"<div class='intro'><p>{LONG}</p><p>{LONG}</p></div>"
    main = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    read = page(before=others, main=f"<article>{main}</article>")
    assert text(read).count("A reader writes") == 2
    assert not read.notices


@pytest.mark.parametrize(
    "beside",
    [f"<aside><p>{LONG}</p></aside>", f"<div class='sidebar'><p>{LONG}</p></div>",
     f"<div id='cookie-law'><p>{LONG}</p></div>"],
)  # fmt: skip
def test_what_stands_beside_an_article_is_no_article(beside: str) -> None:
    main = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    read = page(before=beside * 3, main=f"<article>{main}</article>")
    assert text(read) == "\n\n".join(PARAGRAPHS)


def test_the_short_lines_of_a_text_stay_with_it() -> None:
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    read = page(main=f"<div>{paragraphs}</div><p>Our coop stands at Mill Lane 14, Graz.</p>")
    assert text(read).endswith("Mill Lane 14, Graz.")


@pytest.mark.parametrize(
    "html",
    [
        "<p>Open</p><table><tr><td>Monday</td><td>8 to 12</td></tr></table><div>Call us</div>",
        "<div>One line.</div><div>Another line.</div><div>© Someone</div>",
    ],
)
def test_a_page_without_an_article_is_read_whole(html: str) -> None:
    read = load_html(f"<html><body>{html}</body></html>".encode())
    assert not read.notices
    assert text(read).splitlines()[-1] in ("Call us", "© Someone")


def test_of_a_page_by_sphinx_the_body_is_read() -> None:
    read = load_html(
        b"<html><head><meta name='generator' content='Docutils 0.19'></head><body>"
        b"<div class='body' role='main'><h1>glob</h1><p>Finds files.</p></div>"
        b"<div class='footer'>&copy; Copyright 2001-2026, Example. Created using Sphinx.</div>"
        b"</body></html>"
    )
    assert text(read) == "glob\n\nFinds files."
    assert "Copyright 2001-2026, Example" in read.attribution
