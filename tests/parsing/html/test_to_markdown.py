"""HTML to Markdown: structure kept, offsets right, listings untouched, nothing lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from core.parsing.builder import Draft
from core.parsing.html.load import parse_html
from core.parsing.html.to_markdown import fenced, to_markdown
from core.types import ChunkKind


def convert(source: str, *, links: bool = False) -> Draft:
    return to_markdown(html.fromstring(f"<div>{source}</div>"), links=links)


def test_headings_with_their_anchors_and_offsets() -> None:
    draft = convert(
        '<section id="s1"><h1>One<a class="headerlink" href="#one-1">¶</a></h1><p>Text.</p>'
        '</section><h2 id="two">Two</h2><h3><a name="three"></a>Three</h3>'
        '<section id="s4"><h2>Four</h2></section>'
    )
    found = [(h.level, h.title, h.anchor) for h in draft.headings]
    assert found == [
        (1, "One", "one-1"),
        (2, "Two", "two"),
        (3, "Three", "three"),
        (2, "Four", "s4"),
    ]
    for heading in draft.headings:
        line = draft.text[heading.offset :].split("\n", 1)[0]
        assert line == f"{'#' * heading.level} {heading.title}"


def test_definitions_that_can_be_linked_are_headings() -> None:
    draft = convert(
        '<h2>Functions</h2><dl><dt id="os.system"><code>os.</code><code>system</code>(<em>cmd</em>)'
        '<a class="headerlink" href="#os.system">¶</a></dt><dd><p>Runs it.</p>'
        '<dl><dt id="inner">inner</dt><dd>In.</dd></dl></dd></dl><dl><dt>plain</dt><dd>P.</dd></dl>'
    )
    found = [(h.level, h.title, h.anchor) for h in draft.headings[1:]]
    assert found == [(3, "os.system(cmd)", "os.system"), (4, "inner", "inner")]
    assert draft.text.endswith("plain\nP.")


def test_listings_are_kept_character_by_character() -> None:
    code = "def f(x):\n\treturn  x < 1 &\n\n    # ``` and é\n"
    escaped = code.replace("&", "&amp;").replace("<", "&lt;")
    draft = convert(f'<p>Before</p><pre><code class="lang-py">{escaped}</code></pre><p>After</p>')
    (block,) = draft.blocks
    assert block.kind is ChunkKind.CODE
    assert draft.text[block.start : block.end] == f"````py\n{code.rstrip()}\n````"


def test_listings_in_lines_of_their_own() -> None:
    draft = convert(
        "<pre><div>a = 1</div><div>  b<br>c<br>d</div><ol><li>e</li><li>f</li></ol></pre>"
    )
    assert draft.text == "```\na = 1\n  b\nc\nd\ne\nf\n```"


def test_tables() -> None:
    draft = convert(
        "<table><caption>Sizes</caption><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>"
    )
    (block,) = draft.blocks
    assert block.kind is ChunkKind.TABLE
    assert draft.text == "Sizes\n\n| a | b |\n| --- | --- |\n| 1\\|2 |  |"


def test_lists_quotes_and_inline_code() -> None:
    draft = convert(
        '<ul><li>one</li><li>two<ol start="3"><li>three</li></ol></li></ul>'
        "<blockquote><p>said</p></blockquote><p>use <code>x`y</code> or <tt>z</tt></p>"
    )
    assert draft.text == "- one\n- two\n  3. three\n\n> said\n\nuse ``x`y`` or `z`"


def test_exponents_do_not_run_into_their_base() -> None:
    assert convert("<p>2<sup>32</sup> and note<sup>[1]</sup></p>").text == "2^32 and note[1]"


def test_links_are_kept_when_asked_for() -> None:
    source = '<p>See <a href="http://e.org/a">this</a> page.</p>'
    assert convert(source).text == "See this page."
    assert convert(source, links=True).text == "See [this](http://e.org/a) page."


def test_what_nobody_sees_is_left_out() -> None:
    source = (
        '<p>Seen<span style="display:none">hidden</span></p><script>x()</script>'
        "<!-- comment --><nav>Menu</nav><p hidden>no</p>"
    )
    assert convert(source).text == "Seen"


def test_a_legend_is_a_line_of_its_own() -> None:
    source = "<fieldset><legend>Colours</legend>Red and blue.</fieldset>"
    assert convert(source).text == "Colours\n\nRed and blue."


def test_depth_is_no_danger() -> None:
    root = parse_html("<div>" * 1_500 + "deep")
    assert to_markdown(root).text == "deep"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=60))
def test_fences_are_longer_than_any_in_the_code(code: str) -> None:
    opening, *lines, closing = fenced(code).split("\n")
    assert "\n".join(lines) == code
    assert opening == closing
    assert set(opening) == {"`"}
    assert opening not in code


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("p", "li", "h2", "blockquote", "td", "dd", "b", "span", "div")),
            st.from_regex(r"[a-z]{3,9}( [a-z]{3,9}){0,3}", fullmatch=True),
        ),
        max_size=12,
    )
)
def test_no_word_is_lost(pieces: list[tuple[str, str]]) -> None:
    draft = convert("".join(f"<{tag}>{text}</{tag}>" for tag, text in pieces))
    flat = "".join(draft.text.split())
    position = 0
    for _, text in pieces:
        word = "".join(text.split())
        position = flat.index(word, position) + len(word)


def test_a_rule_stays_a_rule() -> None:
    assert convert("<p>Before.</p><hr><p>After.</p>").text == "Before.\n\n---\n\nAfter."
