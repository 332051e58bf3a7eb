"""All but nouns and verbs: pronouns, modals, adjectives, adverbs, time phrases, connectors and names."""

from __future__ import annotations

from redraft.corpus.toy.grammar import EnglishPerson, GermanPerson, Tense
from redraft.corpus.toy.tables import rows
from redraft.corpus.toy.words import Adjective, Adverb, Connector, Modal, Person, TimePhrase

# Name, German nominative, accusative, dative, possessive stem, reflexive and person; English subject, object,
# possessive and person. `sie` and `ihr` have many meanings; er, sie and es that stand for things are `it`.
_PERSONS = """
i       ich      mich       mir        mein   mich  FIRST   I       me      my     FIRST
you     du       dich       dir        dein   dich  SECOND  you     you     your   OTHER
he      er       ihn        ihm        sein   sich  THIRD   he      him     his    THIRD
she     sie      sie        ihr        ihr    sich  THIRD   she     her     her    THIRD
it-m    er       ihn        ihm        sein   sich  THIRD   it      it      its    THIRD
it-f    sie      sie        ihr        ihr    sich  THIRD   it      it      its    THIRD
it-n    es       es         ihm        sein   sich  THIRD   it      it      its    THIRD
girl    es       es         ihm        sein   sich  THIRD   she     her     her    THIRD
we      wir      uns        uns        unser  uns   PLURAL  we      us      our    OTHER
they    sie      sie        ihnen      ihr    sich  PLURAL  they    them    their  OTHER
formal  Sie      Sie        Ihnen      Ihr    sich  PLURAL  you     you     your   OTHER
who     wer      wen        wem        sein   sich  THIRD   who     who     their  THIRD
nobody  niemand  niemanden  niemandem  sein   sich  THIRD   nobody  nobody  their  THIRD
"""

# German infinitive, ich/er form, du form, preterite; English base, third person, past, and kind.
_MODALS = """
können   kann    kannst    konnte  can            can            could           auxiliary
müssen   muss    musst     musste  have to        has to         had to          verb
wollen   will    willst    wollte  want to        wants to       wanted to       verb
sollen   soll    sollst    -       should         should         -               auxiliary
dürfen   darf    darfst    durfte  be allowed to  is allowed to  was allowed to  be
möchten  möchte  möchtest  -       would like to  would like to  -               auxiliary
"""

# German, its stem, comparative (if one compares); English, its comparative; groups of nouns it goes with.
_ADJECTIVES = """
alt         alt         älter         old        older           person animal thing place
jung        jung        jünger        young      younger         person animal
groß        groß        größer        big        bigger          animal thing place
klein       klein       kleiner       small      smaller         person animal thing place
neu         neu         neuer         new        newer           thing idea event work
schön       schön       schöner       beautiful  more beautiful  place thing animal event work
teuer       teur        teurer        expensive  more expensive  thing place event food drink
billig      billig      billiger      cheap      cheaper         thing food drink
schwer      schwer      schwerer      heavy      heavier         thing
schwer      schwer      schwerer      difficult  more difficult  idea
leicht      leicht      leichter      light      lighter         thing
leicht      leicht      leichter      easy       easier          idea
gut         gut         besser        good       better          food drink idea work event
schlecht    schlecht    schlechter    bad        worse           food idea work event
kalt        kalt        kälter        cold       colder          drink food
heiß        heiß        heißer        hot        hotter          drink
süß         süß         süßer         sweet      sweeter         food drink
krank       krank       kränker       sick       sicker          person animal
müde        müd         müder         tired      more tired      person animal
glücklich   glücklich   glücklicher   happy      happier         person
traurig     traurig     trauriger     sad        sadder          person work
freundlich  freundlich  freundlicher  friendly   friendlier      person
reich       reich       reicher       rich       richer          person
klug        klug        klüger        clever     cleverer        person animal
lang        lang        länger        long       longer          event work
langweilig  langweilig  langweiliger  boring     more boring     event work person
wichtig     wichtig     wichtiger     important  more important  event idea
ruhig       ruhig       ruhiger       quiet      quieter         place animal person
rot         rot         -             red        -               thing
blau        blau        -             blue       -               thing
kaputt      kaputt      -             broken     -               thing
"""

# Which tense they bring; German, English; marks: inside, comma, negative.
_TIMES = """
past     gestern        yesterday               -
past     heute Morgen   this morning            -
past     gestern Abend  last night              -
past     letzte Woche   last week               -
past     letztes Jahr   last year               -
past     damals         at that time            comma
ongoing  gerade         right now               -
ongoing  jetzt          now                     -
ongoing  im Moment      at the moment           comma
habit    oft            often                   inside
habit    immer          always                  inside
habit    manchmal       sometimes               inside
habit    selten         rarely                  inside negative
habit    nie            never                   inside negative
habit    jeden Tag      every day               comma
habit    am Wochenende  on the weekend          comma
habit    im Sommer      in the summer           comma
habit    im Winter      in the winter           comma
future   morgen         tomorrow                -
future   bald           soon                    -
future   übermorgen     the day after tomorrow  comma
future   nächste Woche  next week               -
future   nächstes Jahr  next year               -
future   heute Abend    tonight                 -
perfect  schon          already                 inside negative
perfect  noch nie       never                   inside negative
perfect  gerade         just                    inside negative
"""

_ADVERBS = """
langsam     slowly     careful
schnell     quickly    careful
sorgfältig  carefully  careful
laut        loudly     voice
leise       quietly    voice
"""

_SUBORDINATORS = """
weil     because   final
obwohl   although  final
wenn     if        final
als      when      final
bevor    before    final
während  while     final
da       since     final
"""

_COORDINATORS = """
und       and      plain
aber      but      plain
denn      because  plain
deshalb   so       inverted
trotzdem  and yet  inverted
"""

# German, English, gender.
_NAMES = """
Anna          Anna          she
Maria         Maria         she
Julia         Julia         she
Sophie        Sophie        she
Frau Schmidt  Mrs. Schmidt  she
Frau Weber    Mrs. Weber    she
Thomas        Thomas        he
Peter         Peter         he
Paul          Paul          he
Lukas         Lukas         he
Herr Müller   Mr. Müller    he
Herr Fischer  Mr. Fischer   he
"""

_MONTHS = """
Januar     January
Februar    February
März       March
April      April
Mai        May
Juni       June
Juli       July
August     August
September  September
Oktober    October
November   November
Dezember   December
"""

_DAYS = """
Montag      Monday
Dienstag    Tuesday
Mittwoch    Wednesday
Donnerstag  Thursday
Freitag     Friday
Samstag     Saturday
Sonntag     Sunday
"""

GERMAN_NUMERALS = ("null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn")
ENGLISH_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _make_person(cells: list[str]) -> Person:
    return Person(
        forms=(cells[1], cells[2], cells[3]),
        own=cells[4],
        reflexive=cells[5],
        german_person=GermanPerson[cells[6]],
        english=cells[7],
        english_object=cells[8],
        english_own=cells[9],
        english_person=EnglishPerson[cells[10]],
    )


def _make_modal(
    infinitive: str,
    third: str,
    second: str,
    preterite: str,
    english: str,
    english_third: str,
    past: str,
    kind: str,
) -> Modal:
    return Modal(
        infinitive, (third, second, third, infinitive), preterite, "", english, english_third, past, kind
    )


def _make_adjective(
    german: str, stem: str, comparative: str, english: str, more: str, groups: str
) -> Adjective:
    return Adjective(german, stem, comparative, english, more, tuple(groups.split()))


def _make_time(german: str, english: str, marks: str) -> TimePhrase:
    return TimePhrase(german, english, *(mark in marks.split() for mark in ("inside", "comma", "negative")))


PERSONS = {cells[0]: _make_person(cells) for cells in rows(_PERSONS, 11)}
GLADLY = Modal("", ("", "", "", ""), "", "gern", "like to", "likes to", "", "verb")
MODALS = tuple(_make_modal(*cells) for cells in rows(_MODALS, 8))
PAST_MODALS = tuple(modal for modal in MODALS if modal.preterite)
ADJECTIVES = tuple(_make_adjective(*cells) for cells in rows(_ADJECTIVES, 6))
TIMES = {
    tense: tuple(_make_time(*cells) for name, *cells in rows(_TIMES, 4) if name == tense.value)
    for tense in Tense
}
MONTHS = tuple((german, english) for german, english in rows(_MONTHS, 2))
DAYS = tuple((german, english) for german, english in rows(_DAYS, 2))
ADVERBS = tuple(Adverb(*cells) for cells in rows(_ADVERBS, 3))
SUBORDINATORS = {german: Connector(german, *rest) for german, *rest in rows(_SUBORDINATORS, 3)}
COORDINATORS = {german: Connector(german, *rest) for german, *rest in rows(_COORDINATORS, 3)}
NAMES = tuple((german, english, PERSONS[gender]) for german, english, gender in rows(_NAMES, 3))
