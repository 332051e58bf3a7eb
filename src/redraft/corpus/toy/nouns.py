"""Nouns, and the prepositions that places go with. One line per meaning: Bank and Karte have several."""

from __future__ import annotations

import re

from redraft.corpus.toy.grammar import Gender
from redraft.corpus.toy.tables import rows
from redraft.corpus.toy.verb_forms import with_s
from redraft.corpus.toy.words import Noun, PlaceWords

# German, gender (m* declines weakly: den Jungen), plural (`=`: like the singular; `-`: a mass noun or name);
# English, its plural (`+`: regular); groups that verbs choose from, and adjectives by the first of them.
_NOUNS = """
Mann              m   Männer             man             men        person adult
Frau              f   Frauen             woman           women      person adult
Kind              n   Kinder             child           children   person child pupil
Mädchen           n   =                  girl            +          person child pupil
Junge             m*  Jungen             boy             +          person child pupil
Vater             m   Väter              father          +          person kin adult parent
Mutter            f   Mütter             mother          +          person kin adult parent
Bruder            m   Brüder             brother         +          person kin adult
Schwester         f   Schwestern         sister          +          person kin adult
Onkel             m   =                  uncle           +          person kin adult
Tante             f   Tanten             aunt            +          person kin adult
Freund            m   Freunde            friend          +          person kin adult
Nachbar           m*  Nachbarn           neighbor        +          person kin adult
Kollege           m*  Kollegen           colleague       +          person kin adult
Chef              m   Chefs              boss            +          person kin adult
Arzt              m   Ärzte              doctor          +          person adult worker
Zahnarzt          m   Zahnärzte          dentist         +          person adult worker
Lehrer            m   =                  teacher         +          person adult worker
Student           m*  Studenten          student         +          person adult pupil
Polizist          m*  Polizisten         police officer  +          person adult worker
Bäcker            m   =                  baker           +          person adult worker
Koch              m   Köche              cook            +          person adult worker
Sängerin          f   Sängerinnen        singer          +          person adult worker
Krankenschwester  f   Krankenschwestern  nurse           +          person adult worker
Arbeiter          m   =                  worker          +          person adult staff
Patient           m*  Patienten          patient         +          person adult sick
Gast              m   Gäste              guest           +          person adult stray
Bürgermeister     m   =                  mayor           +          person adult
Leiter            m   =                  manager         +          person adult worker staff
Tourist           m*  Touristen          tourist         +          person adult
Hund              m   Hunde              dog             +          animal stray
Katze             f   Katzen             cat             +          animal stray
Pferd             n   Pferde             horse           +          animal
Vogel             m   Vögel              bird            +          animal
Strauß            m   Strauße            ostrich         ostriches  animal zoo
Schlange          f   Schlangen          snake           +          animal zoo
Brot              n   -                  bread           -          food baked goods
Käse              m   -                  cheese          -          food goods
Kuchen            m   =                  cake            +          food baked goods dish treat
Apfel             m   Äpfel              apple           +          food goods fruit
Birne             f   Birnen             pear            +          food goods fruit
Fisch             m   Fische             fish            fish       food dish goods
Suppe             f   Suppen             soup            +          food dish
Gericht           n   Gerichte           dish            dishes     food dish
Kaffee            m   -                  coffee          -          drink goods
Tee               m   -                  tea             -          drink goods
Wasser            n   -                  water           -          drink
Milch             f   -                  milk            -          drink goods
Bier              n   -                  beer            -          drink goods
Wein              m   -                  wine            -          drink goods
Buch              n   Bücher             book            +          thing reading text gift goods found
Brief             m   Briefe             letter          +          thing reading text mail found
Paket             n   Pakete             package         +          thing mail load
Zeitung           f   Zeitungen          newspaper       +          thing reading goods
Roman             m   Romane             novel           +          thing reading text gift
Rechnung          f   Rechnungen         bill            +          thing reading debt
Karte             f   Karten             map             +          thing reading
Karte             f   Karten             ticket          +          thing ticket
Karte             f   Karten             postcard        +          thing text
Bild              n   Bilder             picture         +          thing gift sight-object
Uhr               f   Uhren              watch           watches    thing gift goods machine found dial
Schlüssel         m   =                  key             +          thing found small
Tasche            f   Taschen            bag             +          thing goods found load
Koffer            m   =                  suitcase        +          thing load found
Regenschirm       m   Regenschirme       umbrella        +          thing goods found
Ball              m   Bälle              ball            +          thing small toy gift
Stein             m   Steine             stone           +          thing small toy
Lampe             f   Lampen             lamp            +          thing goods machine switched
Birne             f   Birnen             light bulb      +          thing bulb
Fernseher         m   =                  television      +          thing goods machine switched
Radio             n   Radios             radio           +          thing goods machine switched dial
Computer          m   =                  computer        +          thing goods machine switched tool
Kühlschrank       m   Kühlschränke       fridge          +          thing goods machine
Taschenlampe      f   Taschenlampen      flashlight      +          thing goods tool switched
Leiter            f   Leitern            ladder          +          thing tool load
Auto              n   Autos              car             +          thing goods machine vehicle washable
Fahrrad           n   Fahrräder          bicycle         +          thing goods machine washable gift
Zug               m   Züge               train           +          thing transport
Bus               m   Busse              bus             buses      thing transport
Flug              m   Flüge              flight          +          event trip
Schloss           n   Schlösser          lock            +          thing machine secured
Haustür           f   Haustüren          front door      +          thing door painted secured
Fenster           n   =                  window          +          thing door painted
Wand              f   Wände              wall            +          thing painted
Decke             f   Decken             ceiling         +          thing painted
Decke             f   Decken             blanket         +          thing washable laundry goods
Hemd              n   Hemden             shirt           +          thing clothes washable goods
Mantel            m   Mäntel             coat            +          thing clothes washable goods
Hut               m   Hüte               hat             +          thing hat goods
Kleid             n   Kleider            dress           dresses    thing clothes washable goods
Strauß            m   Sträuße            bouquet         +          thing bouquet
Tisch             m   Tische             table           +          thing load goods surface
Schreibtisch      m   Schreibtische      desk            +          thing goods surface
Schloss           n   Schlösser          castle          +          place sight built destination
Kirche            f   Kirchen            church          churches   place sight built destination
Museum            n   Museen             museum          +          place sight destination
Stadt             f   Städte             city            cities     place sight destination town
Brücke            f   Brücken            bridge          +          place built crossed sight
Straße            f   Straßen            street          +          place crossed
Haus              n   Häuser             house           +          place built home left goods
Wohnung           f   Wohnungen          apartment       +          place home left
Zimmer            n   =                  room            +          place tidied left
Küche             f   Küchen             kitchen         +          place tidied site
Wohnzimmer        n   =                  living room     +          place tidied site
Büro              n   Büros              office          +          place tidied site destination left
Garten            m   Gärten             garden          +          place site
Park              m   Parks              park            +          place site destination
Wald              m   Wälder             forest          +          place site destination
Schule            f   Schulen            school          +          place site destination attended
Kurs              m   Kurse              course          +          event attended
Bibliothek        f   Bibliotheken       library         libraries  place site destination
Krankenhaus       n   Krankenhäuser      hospital        +          place site destination left
Bahnhof           m   Bahnhöfe           train station   +          place site destination
Flughafen         m   Flughäfen          airport         +          place site destination
Markt             m   Märkte             market          +          place site destination
Restaurant        n   Restaurants        restaurant      +          place site destination
Bank              f   Banken             bank            +          place site destination lender
Bank              f   Bänke              bench           benches    thing seat painted
Stuhl             m   Stühle             chair           +          thing seat goods
Sofa              n   Sofas              sofa            +          thing seat goods
Bett              n   Betten             bed             +          thing goods
Fest              n   Feste              party           parties    event planned
Konzert           n   Konzerte           concert         +          event planned
Prüfung           f   Prüfungen          exam            +          event test
Reise             f   Reisen             trip            +          event planned trip
Sitzung           f   Sitzungen          meeting         +          event planned
Spiel             n   Spiele             game            +          event planned won contest
Wahl              f   Wahlen             election        +          event won contest
Ball              m   Bälle              dance           +          event planned
Lied              n   Lieder             song            +          work heard
Film              m   Filme              movie           +          work seen
Frage             f   Fragen             question        +          idea explained
Regel             f   Regeln             rule            +          idea explained
Problem           n   Probleme           problem         +          idea explained solved
Rätsel            n   =                  riddle          +          idea solved
Plan              m   Pläne              plan            +          idea explained given-up
Antwort           f   Antworten          answer          +          idea awaited
Urteil            n   Urteile            verdict         +          idea verdict
Gericht           n   Gerichte           court           +          place judge
Kredit            m   Kredite            loan            +          idea loan
Geld              n   -                  money           -          money
Musik             f   -                  music           -          heard
Arbeit            f   -                  work            -          labor
Preis             m   Preise             price           +          figure
Preis             m   Preise             prize           +          idea won
Miete             f   Mieten             rent            +          figure
Gewinn            m   Gewinne            profit          +          figure
Mensch            m*  Menschen           person          people     inhabitant
Berlin            n   -                  Berlin          -          proper town city
Wien              n   -                  Vienna          -          proper town city
München           n   -                  Munich          -          proper town city
Köln              n   -                  Cologne         -          proper town city
Hamburg           n   -                  Hamburg         -          proper town city
Italien           n   -                  Italy           -          proper country
Frankreich        n   -                  France          -          proper country
"""

# Prepositions for being there, German (with dative) and English, and for going there (zu, nach: dative).
_PLACES = """
castle         in   in  zu    to
church         in   in  in    to
museum         in   in  in    to
city           in   in  in    to
office         in   in  in    to
kitchen        in   in  in    into
living room    in   in  in    into
garden         in   in  in    into
park           in   in  in    to
forest         in   in  in    into
school         in   at  in    to
library        in   in  in    to
hospital       in   in  in    to
train station  an   at  zu    to
airport        an   at  zu    to
market         auf  at  auf   to
restaurant     in   in  in    to
bank           in   at  zu    to
bench          auf  on  auf   on
chair          auf  on  auf   on
sofa           auf  on  auf   on
house          in   in  in    into
apartment      in   in  in    into
table          auf  on  auf   on
desk           auf  on  auf   on
Berlin         in   in  nach  to
Vienna         in   in  nach  to
Munich         in   in  nach  to
Cologne        in   in  nach  to
Hamburg        in   in  nach  to
Italy          in   in  nach  to
France         in   in  nach  to
"""

_GENDERS = {"m": Gender.MASCULINE, "f": Gender.FEMININE, "n": Gender.NEUTER}


def _make_noun(german: str, gender: str, plural: str, english: str, english_plural: str, groups: str) -> Noun:
    whole_plural = german if plural == "=" else plural
    dative_plural = (
        whole_plural if whole_plural.endswith(("n", "s")) or not whole_plural else whole_plural + "n"
    )
    weak = german + ("n" if german.endswith(("e", "r")) else "en")
    if gender == "m*":
        singular = (german, weak, weak, weak)
    else:
        singular = (german, german, german, german + ("" if gender == "f" else _genitive_ending(german)))
    return Noun(
        name=english,
        gender=_GENDERS[gender[0]],
        singular=singular,
        plural=(whole_plural, whole_plural, dative_plural, whole_plural),
        english=english,
        english_plural=with_s(english) if english_plural == "+" else english_plural,
        groups=tuple(groups.split()),
        mass=not plural and "proper" not in groups.split(),
        proper="proper" in groups.split(),
    )


def _genitive_ending(german: str) -> str:
    one_syllable = len(re.findall(r"[aeiouyäöü]+", german.lower())) == 1
    hard = german.endswith(("t", "d", "s", "ß"))
    return "es" if hard or (one_syllable and not german.endswith("f")) else "s"


NOUNS = tuple(_make_noun(*cells) for cells in rows(_NOUNS, 6))
NOUN_BY_NAME = {noun.name: noun for noun in NOUNS}
PLACE_WORDS = {name: PlaceWords(*words) for name, *words in rows(_PLACES, 5)}


def nouns_in(groups: tuple[str, ...]) -> tuple[Noun, ...]:
    """The nouns that belong to at least one of the groups, in the order of the table."""
    return tuple(noun for noun in NOUNS if any(group in noun.groups for group in groups))
