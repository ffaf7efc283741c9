"""Cities and countries whose names differ between languages (pure data).

English, German, Slovenian, Italian, French and the place's own language, and the English adjective
of a country ("a Swedish chemist" is one from Sweden); names of one word that are no other word, and
a few of several words that are mostly abbreviated.
"""

from __future__ import annotations

import re

from core.text.terms import folded_words

_PLACES = (
    "Vienna Wien Dunaj Vienne", "Munich München", "Cologne Köln Colonia",
    "Nuremberg Nürnberg", "Brunswick Braunschweig", "Hanover Hannover", "Prague Prag Praha Praga",
    "Warsaw Warschau Warszawa Varšava Varsovie", "Cracow Krakow Kraków Krakau Krakov",
    "Ljubljana Laibach Lubiana", "Zagreb Agram Zagabria", "Belgrade Belgrad Beograd",
    "Trieste Triest Trst", "Venice Venedig Venezia Benetke Venise", "Milan Mailand Milano",
    "Turin Torino", "Florence Florenz Firenze Firence", "Rome Roma Rom", "Naples Neapel Napoli",
    "Genoa Genua Genova Gênes", "Padua Padova Padoue", "Geneva Genf Genève Ženeva Ginevra",
    "Zurich Zürich Zurigo", "Basel Basle Bâle Basilea", "Lucerne Luzern Lucerna",
    "Brussels Brüssel Bruxelles Bruselj", "Antwerp Antwerpen Anvers", "Ghent Gent Gand",
    "Copenhagen Kopenhagen København", "Gothenburg Göteborg", "Lisbon Lissabon Lisboa Lizbona",
    "Seville Sevilla Séville", "Athens Athen Atene Athènes", "Moscow Moskau Moskva Moscou",
    "Bucharest Bukarest București", "Budapest Budimpešta", "Salzburg Solnograd", "Graz Gradec",
    "Klagenfurt Celovec", "Villach Beljak", "Bratislava Pressburg", "Strasbourg Straßburg",
    "Austria Österreich Avstrija Autriche Austrian",
    "Germany Deutschland Nemčija Allemagne Germania German",
    "Slovenia Slowenien Slovenija Slovene Slovenian", "Croatia Kroatien Hrvatska Hrvaška Croatian",
    "Italy Italien Italia Italian", "Hungary Ungarn Madžarska Magyarország Hungarian",
    "Switzerland Schweiz Švica Suisse Svizzera Swiss", "France Frankreich Francija Francia French",
    "Spain Spanien España Španija Espagne Spanish", "Greece Griechenland Grčija Grèce Grecia Greek",
    "Poland Polen Polska Poljska Pologne Polish", "Sweden Schweden Sverige Švedska Swedish",
    "Norway Norwegen Norge Norveška Norwegian", "Denmark Dänemark Danmark Danska Danish",
    "Finland Finnland Suomi Finska Finnish", "Belgium Belgien Belgique Belgija Belgian",
    "Netherlands Niederlande Nederland Nizozemska Dutch", "Portugal Portugalska Portuguese",
    "Russia Russland Rossija Rusija Russie Russian", "Japan Japonska Japon Japanese",
    "Danube Donau Donava", "Ireland Irland Irish", "Scotland Schottland Scottish",
    "Turkey Türkei Turkish", "Egypt Ägypten Egyptian", "China Chinese", "Korea Korean",
    "Brazil Brasilien Brazilian", "Canada Kanada Canadian", "Mexico Mexiko Mexican",
)  # fmt: skip
PLACE_OF = {
    name: f"place {line.split()[0].casefold()}" for line in _PLACES for name in folded_words(line)
}
"""By the folded name, a key that all names of the place share."""

_OF_SEVERAL_WORDS = {
    "us": r"United\s+States(?:\s+of\s+America)?|U\.\s?S\.(?:\s?A\.)?|USA?"
    r"|Vereinigte[nr]?\s+Staaten|États-Unis|Estados\s+Unidos|Stati\s+Uniti",
    "uk": r"United\s+Kingdom|U\.\s?K\.|UK|Vereinigte[ns]?\s+Königreich|Royaume-Uni|Reino\s+Unido"
    r"|Regno\s+Unito",
    "eu": r"European\s+Union|E\.\s?U\.|EU|Europäische[nr]?\s+Union|Union\s+européenne"
    r"|Unión\s+Europea|Unione\s+europea",
}
PLACES_OF_SEVERAL_WORDS = re.compile(
    "|".join(rf"(?P<{key}>(?<!\w)(?:{names})(?!\w))" for key, names in _OF_SEVERAL_WORDS.items())
)
"""Unions of states, in full or short; the group that matches is the key."""
