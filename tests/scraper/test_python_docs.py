"""A documentation of Sphinx: its sections, order, anchors, files and second run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DamagedFile
from core.types import DocumentKind
from scraper.collection import CollectReport, loaded_pages, read_json
from scraper.python_docs import DEFAULT_LIMITS, collect, main, refusal
from tests.scraper.site import Reply, Site, serving

FAST = replace(DEFAULT_LIMITS, delay=0.0)


def sphinx(title: str, body: str, *, head: str = "") -> str:
    return (
        f'<html lang="en"><head><title>{title} — Docs</title>{head}'
        '<link rel="stylesheet" href="/3/_static/pygments.css"></head><body>'
        '<div class="related"><a href="/3/genindex.html">index</a></div>'
        f'<div class="body" role="main"><section id="top-{title.lower()}"><h1>{title}'
        f'<a class="headerlink" href="#top-{title.lower()}">¶</a></h1>{body}</section></div></body>'
    )


def toctree(*links: str) -> str:
    return '<div class="toctree-wrapper"><ul>{}</ul></div>'.format(
        "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    )


def contents(**links: str) -> str:
    return '<table class="contentstable"><tr><td>{}</td></tr></table>'.format(
        "".join(f'<p><a href="{link}">{title}</a></p>' for title, link in links.items())
    )


@pytest.fixture
def docs() -> Iterator[Site]:
    pages = {
        "/3/": sphinx(
            "Welcome",
            contents(Tutorial="tutorial/index.html", News="whatsnew/3.11.html")
            + contents(Library="library/index.html", Index="genindex.html", Search="search.html")
            + '<a href="download.html">download</a>',
        ),
        "/3/tutorial/index.html": sphinx(
            "Tutorial", toctree("intro.html", "shared.html"),
            head='<link rel="next" href="intro.html">',
        ),
        "/3/tutorial/intro.html": sphinx("Intro", "<p>To begin.</p>"),
        "/3/tutorial/shared.html": sphinx(
            "Shared", "<p>In two lists.</p>", head='<link rel="next" href="../hidden/index.html">'
        ),
        "/3/hidden/index.html": sphinx(
            "Hidden", toctree("leaf.html"), head='<link rel="next" href="leaf.html">'
        ),
        "/3/hidden/leaf.html": sphinx("Leaf", "<p>The end of the hidden part.</p>"),
        "/3/library/index.html": sphinx(
            "Library", toctree("os.html#os.system", "os.html", "../tutorial/shared.html", "http://e.org/")
        ),
        "/3/library/os.html": sphinx(
            "os", '<dl><dt id="os.system">os.system(command)</dt><dd><p>Runs it.</p></dd></dl>'
            '<a href="orphan.html">see</a>'
        ),
        "/3/library/orphan.html": sphinx("Orphan", "<p>Alone.</p>"),
        "/3/whatsnew/3.11.html": sphinx("News", "<p>New things.</p>"),
    }  # fmt: skip
    with serving(pages) as site:
        yield site


def run(site: Site, out: Path, **options: bool) -> CollectReport:
    return collect(f"{site.url}/3/", out, site.settings(), limits=FAST, **options)


def test_sections_in_the_order_of_reading(docs: Site, tmp_path: Path) -> None:
    report = run(docs, tmp_path)
    assert report.sections == (("Welcome", 1), ("Tutorial", 3), ("Library", 2), ("Hidden", 2))
    pages = read_json(tmp_path / "python_docs.json")
    assert [page.page.title for page in pages] == [
        "Welcome", "Tutorial", "Intro", "Shared", "Library", "os", "Hidden", "Leaf",
    ]  # fmt: skip
    assert len([hit for hit in docs.hits if hit != "/robots.txt"]) == 8
    left_out = {url.removeprefix(docs.url): reason for url, reason in report.left_out}
    assert left_out["/3/whatsnew/3.11.html"] == "What's New is left out unless asked for."
    assert "index or a search page" in left_out["/3/genindex.html"]
    assert left_out["/3/library/orphan.html"] == "No table of contents leads to it."
    assert left_out["/3/download.html"] == "No table of contents leads to it."
    assert left_out["http://e.org/"] == "It is on another site."


def test_whats_new_when_asked_for(docs: Site, tmp_path: Path) -> None:
    assert ("News", 1) in run(docs, tmp_path, whats_new=True).sections


def test_anchors_are_kept_in_the_file(docs: Site, tmp_path: Path) -> None:
    run(docs, tmp_path)
    data = json.loads((tmp_path / "python_docs.json").read_text("utf-8"))
    entry = next(page for page in data["pages"] if page["title"] == "os")
    assert entry["section"] == "Library"
    assert entry["metadata"]["url"] == f"{docs.url}/3/library/os.html"
    assert entry["metadata"]["source"] == f"{docs.url}/3/"
    anchors = [heading["anchor"] for heading in entry["page"]["headings"]]
    assert anchors == ["top-os", "os.system"]
    text = (tmp_path / "python_docs.txt").read_text("utf-8")
    assert text.index("Tutorial\n====") < text.index("To begin.") < text.index("Library\n====")


def test_documents_for_the_worker(docs: Site, tmp_path: Path) -> None:
    run(docs, tmp_path)
    found = {
        name: (url, loaded)
        for name, url, loaded in loaded_pages(read_json(tmp_path / "python_docs.json"))
    }
    url, loaded = found["os"]
    assert loaded.kind is DocumentKind.WEB
    assert url.endswith("/3/library/os.html")
    page = loaded.pages[0]
    assert [page.text[h.offset :].split("\n")[0] for h in page.headings] == [
        "# os",
        "## os.system(command)",
    ]


def test_a_second_run_re_reads_what_changed_and_drops_what_has_gone(
    docs: Site, tmp_path: Path
) -> None:
    run(docs, tmp_path)
    docs.pages["/3/tutorial/intro.html"] = sphinx("Intro", "<p>To begin anew.</p>")
    docs.pages["/3/hidden/leaf.html"] = Reply(status=404)
    report = run(docs, tmp_path)
    assert (report.run.changed, report.run.unchanged) == (1, 6)
    titles = [page.page.title for page in read_json(tmp_path / "python_docs.json")]
    assert "Leaf" not in titles
    assert "To begin anew." in (tmp_path / "python_docs.txt").read_text("utf-8")


def test_from_the_shell(
    docs: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ALLOWED_PRIVATE_HOSTS", docs.host)
    arguments = ["--base-url", f"{docs.url}/3/", "--out", str(tmp_path), "--delay", "0"]
    assert main(arguments) == 0
    assert "8 pages (8 new or changed" in capsys.readouterr().out
    assert main([*arguments, "--pages", "8"]) == 0
    assert main(["--base-url", "ftp://e.org/", "--out", str(tmp_path)]) == 2
    assert "Only http and https links" in capsys.readouterr().err


def test_damaged_files_are_said(tmp_path: Path) -> None:
    path = tmp_path / "python_docs.json"
    for text in ("", "{}", '{"pages": [{}]}', "[1]"):
        path.write_text(text)
        with pytest.raises(DamagedFile):
            read_json(path)
    with pytest.raises(DamagedFile):
        read_json(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("genindex.html", False),
        ("genindex-A.html", False),
        ("py-modindex.html", False),
        ("search.html", False),
        ("contents.html", False),
        ("_sources/a.txt", False),
        ("_modules/os.html", False),
        ("whatsnew/3.11.html", False),
        ("library/search.html", False),
        ("library/research.html", True),
        ("howto/contents-of-a-bag.html", True),
        ("library/whatsnewer.html", True),
    ],
)
def test_what_belongs(path: str, wanted: bool) -> None:
    reason = refusal(f"http://e.org/3/{path}", "http://e.org/3/", whats_new=False)
    assert (reason == "") is wanted
