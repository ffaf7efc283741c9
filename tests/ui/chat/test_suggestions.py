"""Questions to ask next."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def test_what_was_asked_in_other_letters_is_not_suggested_again() -> None:
    def script() -> None:
        from core.ui.chat.suggestions import show_suggestions

        found = ["What is AutoGen?", "When was AutoGen founded?"]
        show_suggestions("Ask next", lambda: found, 3, ["so what is autogen"])

    page = AppTest.from_function(script).run()
    assert [button.label.replace("\\", "") for button in page.button] == [
        "When was AutoGen founded?"
    ]
