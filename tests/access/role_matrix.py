"""Who may call which method of the service, written out by hand.

`core/access/roles.py` must say the same, and the service must act like it. A method that is added
there needs a row here, written by the person who decides, not copied.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.types import Role

_MATRIX = """
                                   reader  editor  admin
ask                                   x       x      x
search                                x       x      x
ask_again                             x       x      x

sessions.preferences                  x       x      x
sessions.search_options               x       x      x
sessions.preset                       x       x      x
sessions.indexing                     x       x      x
sessions.set_preferences              -       x      x
sessions.choose_preset                -       x      x
sessions.rename                       -       -      x
sessions.delete                       -       -      x

documents.list                        x       x      x
documents.get                         x       x      x
documents.pages                       x       x      x
documents.page                        x       x      x
documents.chunks                      x       x      x
documents.original                    x       x      x
documents.read_pages                  x       x      x
documents.searched                    x       x      x
documents.suggestions                 x       x      x
documents.suggestions_after           x       x      x
documents.evidence                    x       x      x
documents.page_evidence               x       x      x
documents.find                        x       x      x
documents.draw_ahead                  x       x      x
documents.add_file                    -       x      x
documents.add_urls                    -       x      x
documents.add_loaded                  -       x      x
documents.load_samples                -       x      x
documents.create_job                  -       x      x
documents.retry                       -       x      x
documents.remove                      -       x      x
documents.remove_all                  -       x      x
documents.stop                        -       x      x
documents.resume                      -       x      x
documents.set_searched                -       x      x
documents.set_all_searched            -       x      x
documents.retry_all                   -       x      x
documents.unlock                      -       x      x
documents.tag                         -       x      x
documents.keep_page                   -       x      x

conversations.list                    x       x      x
conversations.get                     x       x      x
conversations.messages                x       x      x
conversations.create                  x       x      x
conversations.rename                  x       x      x
conversations.delete                  x       x      x
conversations.export                  x       x      x
conversations.check                   x       x      x
conversations.search                  x       x      x
conversations.pin                     x       x      x
conversations.is_left                 x       x      x
conversations.stop                    x       x      x

shared_answers.share                  x       x      x
shared_answers.get                    x       x      x
shared_answers.list                   x       x      x
shared_answers.end                    x       x      x

models.choose                         x       x      x

collecting.runs                       x       x      x
collecting.run                        x       x      x
collecting.outcome                    x       x      x
collecting.stored                     x       x      x
collecting.browse                     x       x      x
collecting.preview                    -       x      x
collecting.start                      -       x      x
collecting.again                      -       x      x
collecting.pause                      -       x      x
collecting.stop                       -       x      x
collecting.resume                     -       x      x
collecting.schedule                   -       x      x
collecting.forget                     -       x      x
collecting.keep_upload                -       x      x
collecting.start_documentation        -       x      x

evaluations.sets                      x       x      x
evaluations.items                     x       x      x
evaluations.unknown_documents         x       x      x
evaluations.runs                      x       x      x
evaluations.run                       x       x      x
evaluations.unfinished_run            x       x      x
evaluations.results                   x       x      x
evaluations.whole_results             x       x      x
evaluations.result                    x       x      x
evaluations.compare                   x       x      x
evaluations.marks                     x       x      x
evaluations.operations                x       x      x
evaluations.upload                    -       x      x
evaluations.save_set                  -       x      x
evaluations.delete_set                -       x      x
evaluations.generate                  -       x      x
evaluations.making                    -       x      x
evaluations.add_run                   -       x      x
evaluations.start_run                 -       x      x
evaluations.start_matrix              -       x      x
evaluations.stop_run                  -       x      x
evaluations.resume_run                -       x      x
evaluations.delete_run                -       x      x
evaluations.set_mark                  -       x      x
evaluations.start_talks               -       x      x
evaluations.talking                   -       x      x
evaluations.score_answers             -       x      x

evaluations.thumbs.give               x       x      x
evaluations.thumbs.of                 x       x      x
evaluations.thumbs.golden_items       x       x      x

people.leave                          x       x      x
people.members                        -       -      x
people.share                          -       -      x
people.unshare                        -       -      x
"""


def _read(matrix: str) -> dict[str, frozenset[Role]]:
    heads, *rows = (line.split() for line in matrix.strip().splitlines() if line.strip())
    assert heads == list(Role)
    return {
        name: frozenset(role for role, cell in zip(Role, cells, strict=True) if cell == "x")
        for name, *cells in rows
    }


MAY: Mapping[str, frozenset[Role]] = _read(_MATRIX)
"""The roles that may call each method that takes a session, by its name with its room."""

NO_SESSION = frozenset(
    """
    warm_up ready wait_ready close health check_web_search check_watch figures may_maintain
    retriever
    owners.for_token owners.known owners.local
    keys.create keys.list keys.revoke keys.owner_of
    sessions.create sessions.get sessions.list
    documents.job documents.spool
    models.list models.pull models.offers
    collecting.dumps collecting.begin collecting.end collecting.take_over collecting.leave
    collecting.erase evaluations.erase evaluations.close
    people.sign_in people.sign_out people.of_browser people.take_over
    people.invitations people.accept people.decline
    """.split()
)
"""The methods that take no session: nobody's role in one can matter to them."""
