"""A redirect is checked like the first address, and what a page asks for is not done."""

from __future__ import annotations

import pytest

from core.errors import AddressNotAllowed, InvalidUrl, NoReadableText
from core.parsing.html import web_page
from scraper.fetch import fetch
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A08


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_blocked_at_the_hop(status: int) -> None:
    with serving(rest="secret") as decoy:
        for target in (f"{decoy.url}/", "http://127.0.0.1:9/", "http://[::1]/", "//127.1/"):
            away = Reply(status=status, headers={"Location": target})
            with (
                serving({"/": away}) as site,
                pytest.raises(AddressNotAllowed, match="redirects"),
            ):
                fetch(f"{site.url}/", site.settings())
        assert decoy.hits == []


@pytest.mark.parametrize("target", ["file:///etc/passwd", "javascript:alert(1)", "http://a\\b/"])
def test_no_other_scheme_through_a_redirect(target: str) -> None:
    with (
        serving({"/": Reply(status=302, headers={"Location": target})}) as site,
        pytest.raises(InvalidUrl, match="redirects"),
    ):
        fetch(f"{site.url}/", site.settings())


def test_a_refresh_in_the_page_is_not_followed() -> None:
    with serving(rest="secret") as decoy:
        page = f'<html><meta http-equiv="refresh" content="0; url={decoy.url}/"></html>'
        with serving({"/": page}) as site:
            fetched = fetch(f"{site.url}/", site.settings())
        with pytest.raises(NoReadableText, match="redirects"):
            web_page.page(fetched.body, fetched.final_url, fetched.content_type)
        assert decoy.hits == []


def test_headers_of_ours_do_not_leave_the_host() -> None:
    with serving(rest="other") as other:
        away = Reply(status=302, headers={"Location": f"{other.url}/"})
        with serving({"/": away}) as site:
            # Two ports of one host are one host; another name is not.
            other_name = f"http://localhost:{other.port}/"
            site.pages["/"] = Reply(status=302, headers={"Location": other_name})
            settings = site.settings().model_copy(
                update={"allowed_private_hosts": f"{site.host},localhost:{other.port}"}
            )
            fetch(f"{site.url}/", settings, headers={"X-Key": "k"})
            assert site.requests[0][1]["X-Key"] == "k"
        assert "X-Key" not in other.requests[0][1]
