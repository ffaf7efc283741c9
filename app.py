"""The entry of the app: what every page has around it, then the page that is open."""

from core.ui.shell.layout import open_app

open_app().run()
