"""The main text of pages: of unknown markup, of Sphinx, of Stack Overflow, and of none at all."""

from __future__ import annotations

import pytest

from core.errors import NoReadableText
from core.parsing.html.load import parse_html
from core.parsing.html.web_page import WebPage, own_url, page, to_loaded
from core.types import ChunkKind, DocumentKind

FILL = " ".join(f"This is sentence {n} of an article about gears and shafts." for n in range(12))
ARTICLE = f"""<html lang="en-GB"><head><title>Gears | The Workshop</title>
<meta property="og:title" content="All about gears"><meta name="author" content="Ada Bee">
<meta property="article:published_time" content="2024-05-01T10:00:00Z">
<link rel="canonical" href="/gears"></head><body>
<header><nav><a href="/">Home</a><a href="/about">About us</a></nav></header>
<article><h1>All about gears</h1><p>{FILL}</p><h2 id="ratio">The ratio</h2>
<p>{FILL} The gearbox has a ratio of 4.2.</p>
<pre><code>ratio = 42 / 10

print(ratio)</code></pre>
<table><tr><th>Gear</th><th>Teeth</th></tr><tr><td>First</td><td>21</td></tr></table></article>
<footer>Imprint. All rights reserved.</footer></body></html>"""
SPHINX = """<html lang="en"><head><title>os — Interfaces — Python documentation</title>
<link rel="canonical" href="https://docs.python.org/3/library/os.html">
<link rel="stylesheet" href="../_static/pygments.css"></head><body>
<div class="sphinxsidebar">Table of contents</div><div class="related">next | previous</div>
<div class="body" role="main"><section id="module-os"><h1>os — Interfaces
<a class="headerlink" href="#module-os">¶</a></h1><dl class="py function">
<dt class="sig" id="os.system">os.system(command)<a class="headerlink" href="#os.system">¶</a></dt>
<dd><p>Execute the command.</p><div class="highlight-python3"><div class="highlight"><pre>
<span></span>&gt;&gt;&gt; os.system("ls")
0
</pre></div></div><div class="versionchanged"><p>Changed in version 3.8: more.</p></div></dd></dl>
</section></div><div class="footer">&copy; <a>Copyright</a> 2001-2026, Python Software Foundation.
<br>This page is licensed under the Python Software Foundation License Version 2.</div></body>
</html>"""
QUESTION = """<html lang="en"><head><title>python - How to sort?</title></head><body>
<div id="question" data-score="5"><div class="s-prose js-post-body"><p>How do I <b>sort</b>?</p>
</div></div><div id="answers"><div id="answer-11" class="answer accepted-answer" data-score="9">
<div class="s-prose"><p>Use <a href="https://docs.python.org/">sorted</a>:</p>
<pre class="lang-py"><code>sorted([2, 1])
</code></pre></div></div><div id="answer-12" class="answer" data-score="1"><div class="s-prose">
<p>Or sort in place.</p></div></div></div><div>Related questions</div></body></html>"""


@pytest.mark.parametrize(
    ("headline", "title"),
    [("cms-page", "Gears | The Workshop"), ("All of gears", "All of gears")],
)
def test_a_headline_for_machines_needs_a_word_of_the_title(headline: str, title: str) -> None:
    data = f'{{"@context": "https://schema.org", "@type": "Article", "headline": "{headline}"}}'
    shown = ARTICLE.replace('<meta property="og:title" content="All about gears">', "").replace(
        "<head>", f'<head><script type="application/ld+json">{data}</script>'
    )
    assert page(shown.encode(), "https://e.org/", "text/html").title == title


def test_an_article() -> None:
    found = page(ARTICLE.encode(), "https://example.org/gears?utm_source=x", "text/html")
    assert found.title == "All about gears"
    assert found.url == "https://example.org/gears"
    assert (found.published, found.language, found.author) == ("2024-05-01", "en", "Ada Bee")
    assert "The gearbox has a ratio of 4.2." in found.markdown
    assert "Imprint" not in found.markdown
    assert "About us" not in found.markdown
    assert ("The ratio", "ratio") in [(h.title, h.anchor) for h in found.headings]
    for heading in found.headings:
        assert found.markdown[heading.offset :].startswith("#" * heading.level + " ")
    kinds = [block.kind for block in found.blocks]
    assert kinds == [ChunkKind.CODE, ChunkKind.TABLE]
    code = found.blocks[0]
    assert "ratio = 42 / 10\n\nprint(ratio)" in found.markdown[code.start : code.end]


def test_a_page_of_sphinx() -> None:
    found = page(SPHINX.encode(), "http://mirror.example/3/library/os.html")
    assert found.url == "http://mirror.example/3/library/os.html"
    assert found.title == "os — Interfaces"
    assert [(h.title, h.anchor) for h in found.headings] == [
        ("os — Interfaces", "module-os"),
        ("os.system(command)", "os.system"),
    ]
    assert '```python\n>>> os.system("ls")\n0\n```' in found.markdown
    assert "Changed in version 3.8: more." in found.markdown
    assert "Table of contents" not in found.markdown
    assert "Copyright 2001-2026, Python Software Foundation" in to_loaded(found).attribution


def test_a_question_with_its_answers() -> None:
    found = page(QUESTION.encode(), "https://stackoverflow.com/questions/1/how")
    assert [(h.title, h.anchor) for h in found.headings] == [
        ("python - How to sort?", None),
        ("Question", None),
        ("Answer (accepted, score 9)", "11"),
        ("Answer (score 1)", "12"),
    ]
    assert "[sorted](https://docs.python.org/):" in found.markdown
    assert "```py\nsorted([2, 1])\n```" in found.markdown
    assert "Related" not in found.markdown


def test_a_short_page_keeps_its_structure() -> None:
    short = b"<html><head><title>Box</title></head><body><h1>Box</h1><p>One.</p><p>Two.</p></body>"
    assert page(short, "http://e.org/").markdown == "# Box\n\nOne.\n\nTwo."


def test_plain_text() -> None:
    found = page(b"Just a text.\n\n# No heading\n", "http://e.org/notes.txt", "text/plain")
    assert found.markdown == "Just a text.\n\n# No heading\n"
    assert found.title == "notes.txt"


def test_as_the_worker_takes_it_in() -> None:
    found = page(ARTICLE.encode(), "https://example.org/gears")
    loaded = to_loaded(found)
    assert loaded.kind is DocumentKind.WEB
    assert (loaded.title, loaded.language) == ("All about gears", "en")
    assert "".join(part.text for part in loaded.pages) == found.markdown
    assert loaded.attribution == "Ada Bee, 2024-05-01"


def test_encodings() -> None:
    body = "<html><head><title>Größe</title></head><body><p>Die Größe</p></body></html>"
    for declared, encoding in (("iso-8859-1", "latin-1"), ("utf-8", "utf-8"), ("", "utf-8")):
        assert page(body.encode(encoding), "http://e.org/", charset=declared).title == "Größe"


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("/b", "http://e.org/b"),
        ("http://other.org/b", "http://e.org/a"),
        ("http://127.0.0.1/", "http://e.org/a"),
        ("javascript:x", "http://e.org/a"),
        ("http://[", "http://e.org/a"),
    ],
)
def test_a_page_speaks_for_its_own_host_alone(link: str, url: str) -> None:
    root = parse_html(
        f'<html><head><link rel="canonical" href="{link}"></head><body>x</body></html>'
    )
    assert own_url(root, "http://e.org/a#part") == url


def test_words_about_cookies_in_an_article_are_no_wall() -> None:
    text = f"<html><article><h1>Cookies</h1><p>How cookies work. {FILL}</p></article></html>"
    assert "How cookies work" in page(text.encode(), "http://e.org/").markdown


def test_a_plea_for_javascript_is_no_text() -> None:
    with pytest.raises(NoReadableText):
        page(
            b"<html><body><noscript>Please enable JavaScript.</noscript></body></html>",
            "http://e.org/",
        )


def test_attribution_needs_nothing() -> None:
    assert to_loaded(WebPage("T", "http://e.org/", "x")).attribution == ""
