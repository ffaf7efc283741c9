"""Any site from the shell, and the look before a large run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import BadStatus, NoReadableText
from scraper.collection import loaded_pages, read_json
from scraper.pair_selection import Choice
from scraper.preview import preview_dump, preview_site
from scraper.site import collect, main, result_file
from tests.scraper.crawling import FAST, text_page
from tests.scraper.site import Reply, serving
from tests.scraper.test_python_docs import contents, sphinx
from tests.scraper.test_sitemap import urlset
from tests.scraper.test_stack_overflow import BIGQUERY, ROWS, dump


def test_a_site_becomes_a_file(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/a"), "/a": text_page("A")}) as site:
        report = collect([f"{site.url}/"], tmp_path, site.settings(), limits=FAST)
        assert report.sections == ((site.host, 2),)
        pages = read_json(result_file(tmp_path, [f"{site.url}/"]))
        found = {url: loaded for _, url, loaded in loaded_pages(pages)}
        assert set(found) == {f"{site.url}/", f"{site.url}/a"}
        assert found[f"{site.url}/a"].title == "A"


def test_from_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving({"/": text_page("Home", "/a"), "/a": text_page("A")}) as site:
        monkeypatch.setenv("ALLOWED_PRIVATE_HOSTS", site.host)
        arguments = [f"{site.url}/", "--out", str(tmp_path), "--delay", "0"]
        assert main([*arguments, "--pages", "1"]) == 1
        assert "Stopped after 1 pages. The same command goes on" in capsys.readouterr().out
        assert main(arguments) == 0
        assert "Written to" in capsys.readouterr().out
        assert main(["http://127.0.0.1:9/", "--out", str(tmp_path)]) == 1


def test_a_look_at_a_site() -> None:
    with serving({"/d/": text_page("Docs", "/d/a", "/d/b", "/other")}) as site:
        site.pages["/sitemap.xml"] = urlset(f"{site.url}/d/x", f"{site.url}/y")
        site.pages["/robots.txt"] = "User-agent: *\nCrawl-delay: 3\n"
        seen = preview_site(f"{site.url}/d/", site.settings())
        assert (seen.title, seen.links, seen.listed, seen.delay) == ("Docs", 2, 1, 3.0)
        assert "# Docs" in seen.text
        assert preview_site(f"{site.url}/d/", site.settings(), whole_host=True).links == 3


def test_a_look_at_a_documentation() -> None:
    with serving({"/": sphinx("Welcome", contents(Tutorial="t.html", Library="l.html"))}) as site:
        seen = preview_site(f"{site.url}/", site.settings())
    assert [link.title for link in seen.sections] == ["Tutorial", "Library"]


def test_a_look_at_what_cannot_be_read() -> None:
    with serving({"/": "<html></html>", "/gone": Reply(status=404)}) as site:
        with pytest.raises(NoReadableText):
            preview_site(f"{site.url}/", site.settings())
        with pytest.raises(BadStatus):
            preview_site(f"{site.url}/gone", site.settings())
        site.pages["/robots.txt"] = "User-agent: *\nDisallow: /\n"
        assert "robots.txt" in preview_site(f"{site.url}/", site.settings()).closed
    assert "not allowed" in preview_site("http://127.0.0.1/", site.settings()).closed


def test_a_look_at_a_dump(tmp_path: Path) -> None:
    path = tmp_path / "Posts.xml"
    path.write_text(dump(*ROWS), "utf-8")
    seen = preview_dump(path, Choice(tag="python"), count=2)
    assert seen.titles == ('Question "1" & more?', 'Question "5" & more?')
    assert seen.text == "How to `do(1)`?"
    assert seen.rows == 5
    exported = tmp_path / "pairs.json"
    exported.write_text(json.dumps([BIGQUERY]))
    assert preview_dump(exported, Choice(tag="python")).titles == ("How?",)
