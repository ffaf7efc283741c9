"""The Search and Status pages."""

from __future__ import annotations

from core.errors import IndexDamaged
from core.types import Level, UpkeepState
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import button, open_tab, session_of, sheets, unfold

SEARCH = "pages/3_Search.py"
SETTINGS = "settings-of-search"


def test_hits_show_the_score_and_rank_of_every_stage(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("scores")
    button(tab, "Search").click().run()
    hits = sheets(tab)[0]["content"]["hits"]
    assert [hit["label"] for hit in hits] == ["handbook.pdf", "glossary.md", "measures.html"]
    assert hits[0]["lexical"] == {"score": "11.40", "rank": "#2"}
    assert hits[2]["lexical"] == {"score": "", "rank": ""}


def test_the_words_of_the_query_are_set_off(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("Which meanings are compared?")
    button(tab, "Search").click().run()
    hits = sheets(tab)[0]["content"]["hits"]
    marked = [[piece for piece, on in hit["text"] if on] for hit in hits]
    assert marked[1][:2] == ["compares", "meanings"]
    shown = "".join(piece for piece, _ in hits[1]["text"])
    assert "Dense retrieval compares" in shown
    assert "#" not in shown, "the marks of headings are not to be read"


def test_a_search_is_shared_by_its_address(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("scores & ranks")
    button(tab, "Search").click().run()
    assert tab.query_params["query"] == "scores & ranks"
    other = open_tab(SEARCH, query="scores & ranks")
    assert other.text_input(key="query").value == "scores & ranks"
    assert sheets(other)[0]["content"]["hits"]
    other.text_input(key="query").set_value("something else")
    button(other, "Search").click().run()
    assert other.query_params["query"] == "something else"
    assert other.text_input(key="query").value == "something else"
    assert not sheets(open_tab(SEARCH, query="  "))


def test_settings_are_tried_at_once_and_carried_into_the_chat(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("scores")
    button(tab, "Search").click().run()
    unfold(tab, SETTINGS).number_input(key="search-top-k").set_value(2).run()
    assert len(sheets(tab)[0]["content"]["hits"]) == 2
    button(tab, "Use these settings in the chat").click().run()
    assert fake.sessions.preferences(session_of(fake))["search"]["top_k"] == 2
    assert "The chat uses these settings." in [caption.value for caption in tab.caption]
    button(tab, "Use the defaults again").click().run()
    assert fake.sessions.preferences(session_of(fake))["search"] == {}
    assert tab.number_input(key="search-top-k").value == 7


def test_the_least_similarity_is_a_setting(fake: FakeService) -> None:
    tab = unfold(open_tab(SEARCH), SETTINGS)
    tab.slider(key="search-similarity").set_value(0.4).run()
    button(tab, "Use these settings in the chat").click().run()
    kept = fake.sessions.preferences(session_of(fake))["search"]
    assert (kept["min_similarity"], kept["rerank_weight"]) == (0.4, 0.5)
    tab.slider(key="search-similarity").set_value(0.0).run()
    button(tab, "Use these settings in the chat").click().run()
    assert fake.sessions.preferences(session_of(fake))["search"]["min_similarity"] <= 0.0


def test_the_least_similarity_of_a_preset_is_that_of_the_model(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    fake.sessions.set_preferences(session_of(fake), {"search": {"min_similarity": "by-model"}})
    tab.run()
    tab.text_input(key="query").set_value("scores")
    button(tab, "Search").click().run()
    said = [caption.value for caption in tab.caption]
    assert any("from a likeness of 0.52 on" in one and "measured" in one for one in said)
    assert tab.query_params["min_similarity"] == "by-model"
    unfold(tab, SETTINGS).toggle(key="search-by-model").set_value(False).run()
    assert tab.slider(key="search-similarity").value == 0.35
    tab.slider(key="search-similarity").set_value(0.7).run()
    button(tab, "Use these settings in the chat").click().run()
    assert fake.sessions.preferences(session_of(fake))["search"]["min_similarity"] == 0.7


def test_the_weight_of_votes_is_a_setting(fake: FakeService) -> None:
    tab = unfold(open_tab(SEARCH), SETTINGS)
    tab.slider(key="search-votes").set_value(0.3).run()
    button(tab, "Use these settings in the chat").click().run()
    assert fake.sessions.preferences(session_of(fake))["search"]["votes"] == 0.3


def test_a_search_that_fails_says_why(fake: FakeService) -> None:
    fake.error = IndexDamaged("The index does not find its own passages.")
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("scores")
    button(tab, "Search").click().run()
    assert "does not find its own passages" in tab.error[0].value


def test_the_doctor_names_state_detail_and_cure(fake: FakeService) -> None:
    tab = open_tab("pages/5_Status.py")
    assert not tab.exception
    texts = [element.value for element in tab.text]
    assert "Not working: OCR." in texts
    said = "".join(element.value for element in tab.markdown)
    assert "all-MiniLM-L6-v2, 384 dimensions" in said.replace("\\", "")
    assert "`make install`" in said
    button(tab, "Check again").click().run()
    assert not tab.exception


def test_upkeep_is_begun_and_tells_its_result(fake: FakeService) -> None:
    tab = unfold(open_tab("pages/5_Status.py"), "maintenance")
    button(tab, "Check everything").click().run()
    assert not tab.exception
    assert fake.upkeep.begun == ["check"]
    assert "Files, catalogue and both indexes agree." in [text.value for text in tab.text]
    fake.upkeep.now = UpkeepState("rebuild", True, "Making indexes again", 3, 12)
    tab.run()
    assert button(tab, "Rebuild indexes").disabled


def test_the_address_carries_everything_that_decides_the_result(fake: FakeService) -> None:
    tab = open_tab(SEARCH)
    tab.text_input(key="query").set_value("scores")
    button(tab, "Search").click().run()
    unfold(tab, SETTINGS).number_input(key="search-top-k").set_value(2).run()
    tab.toggle(key="search-rerank").set_value(False).run()
    tab.selectbox(key="search-level").set_value(Level.AS_TYPED).run()
    sent = {name: tab.query_params[name] for name in tab.query_params if name != "session"}
    assert sent.keys() == {"query", "level", "top_k", "rerank"}
    fake.sessions.set_preferences(session_of(fake), {"search": {"mode": "lexical", "top_k": 3}})
    other = open_tab(SEARCH, **sent)
    assert not other.exception
    assert not other.warning
    assert [hit["label"] for hit in sheets(other)[0]["content"]["hits"]] == [
        hit["label"] for hit in sheets(tab)[0]["content"]["hits"]
    ]
    last = other.session_state["searched"]
    assert (last.options.top_k, last.options.rerank, last.options.mode) == (2, False, "hybrid")
    assert last.level is Level.AS_TYPED
    assert unfold(other, SETTINGS).number_input(key="search-top-k-1").value == 2


def test_a_bad_link_says_what_was_left_out_and_searches_the_rest(fake: FakeService) -> None:
    tab = open_tab(SEARCH, query="scores", mode="smell", top_k="900", fusion="rrf", level="")
    assert not tab.exception
    assert "cannot be read: search by, passages shown" in tab.warning[0].value
    assert tab.session_state["searched"].options.fusion == "rrf"
    assert sheets(tab)[0]["content"]["hits"]
    assert "no query" in open_tab(SEARCH, mode="lexical").info[0].value
