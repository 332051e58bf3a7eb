"""Verbs in tables by what they ask for. The same German verb on two lines has two meanings."""

from __future__ import annotations

from redraft.corpus.toy.grammar import Case
from redraft.corpus.toy.tables import rows
from redraft.corpus.toy.verb_forms import english_gerund, english_past, english_third, german_present
from redraft.corpus.toy.words import Verb

# German: `an-rufen` has a separable prefix, `sich` is reflexive, words before the verb are fixed (ins Gras).
# Participle: with `ist` where the perfect takes sein; `kannte/` before it: the preterite is used instead.
# English: `~on` moves behind a pronoun (put it on). Its forms: past and participle, one word if they are the
# same, `-` if regular. Object: German case or preposition+case, then groups of nouns; `at` and `to`: a place.
# Marks: stative (no -ing form, no place, no company), event (not while it goes on), alone (no place, no
# company), voice and careful (kinds of adverbs), to or for (also takes a person in the dative), swapped (the
# German dative is the English subject).
_WITHOUT_OBJECT = """
arbeiten         arbeitet  gearbeitet         work           -            person adult      -  -
schlafen         schläft   geschlafen         sleep          slept        person animal     -  -
lachen           lacht     gelacht            laugh          -            person            -  voice
singen           singt     gesungen           sing           sang sung    person            -  voice
tanzen           tanzt     getanzt            dance          -            person            -  -
ein-schlafen     schläft   ist eingeschlafen  fall asleep    fell fallen  person            -  event
auf-stehen       steht     ist aufgestanden   get up         got gotten   person            -  event alone
ab-fahren        fährt     ist abgefahren     leave          left         transport         -  event alone
an-kommen        kommt     ist angekommen     arrive         -            person transport  -  event alone
an-fangen        fängt     angefangen         begin          began begun  planned           -  event alone
statt-finden     findet    stattgefunden      take place     took taken   planned           -  event
ab-nehmen        nimmt     abgenommen         lose weight    lost         person adult      -  alone
um-ziehen        zieht     ist umgezogen      move           -            person adult      -  event alone
sich um-ziehen   zieht     umgezogen          get changed    got gotten   person            -  event
aus-ziehen       zieht     ist ausgezogen     move out       -            person adult      -  event alone
sich aus-ziehen  zieht     ausgezogen         get undressed  got gotten   person            -  event
sich aus-ruhen   ruht      ausgeruht          rest           -            person            -  -
sich beeilen     beeilt    beeilt             hurry          -            person            -  alone
"""

_WITH_OBJECT = """
lesen       liest     gelesen      read      read          person  acc reading             voice
schreiben   schreibt  geschrieben  write     wrote written  person  acc text               -
kaufen      kauft     gekauft      buy       bought        person  acc goods bouquet       for
verkaufen   verkauft  verkauft     sell      sold          person  acc goods home          alone
essen       isst      gegessen     eat       ate eaten     person  acc food                -
trinken     trinkt    getrunken    drink     drank drunk   person  acc drink               -
kochen      kocht     gekocht      cook      -             person  acc dish                for
bestellen   bestellt  bestellt     order     -             person  acc dish drink          -
backen      backt     gebacken     bake      -             person  acc baked               for
reparieren  repariert  repariert   repair    -             person  acc machine             careful
waschen     wäscht    gewaschen    wash      -             person  acc washable            careful
suchen      sucht     gesucht      look for  -             person  acc found stray         careful
finden      findet    gefunden     find      found         person  acc found small         event
verlieren   verliert  verloren     lose      lost          person  acc found contest       event
besichtigen  besichtigt  besichtigt  visit   -             person  acc sight               alone
besuchen    besucht   besucht      visit     -             person  acc kin city sick       alone
besuchen    besucht   besucht      attend    -             pupil   acc attended            alone
kennen      kennt     kannte/gekannt  know   knew known    person  acc adult city          stative
sehen       sieht     gesehen      see       saw seen      person  acc adult animal sight  stative event
treffen     trifft    getroffen    meet      met           person  acc adult               event
streichen   streicht  gestrichen   paint     -             person  acc painted             careful
streichen   streicht  gestrichen   cancel    -             person  acc trip                event alone
füttern     füttert   gefüttert    feed      fed           person  acc animal              -
beobachten  beobachtet  beobachtet  watch    -             person  acc animal stray        careful
geben       gibt      gegeben      give      gave given    person  acc small gift ticket   to event alone
schenken    schenkt   geschenkt    give      gave given    person  acc gift bouquet        to event alone
zeigen      zeigt     gezeigt      show      showed shown  person  acc reading gift sight  to event alone
leihen      leiht     geliehen     lend      lent          person  acc tool vehicle clothes  to event alone
erklären    erklärt   erklärt      explain   -             person  acc explained           to alone careful
schicken    schickt   geschickt    send      sent          person  acc mail bouquet text   to event alone
werfen      wirft     geworfen     throw     threw thrown  person  acc toy                 event
wechseln    wechselt  gewechselt   change    -             person  acc bulb                -
hören       hört      gehört       listen to  -            person  acc heard               -
tragen      trägt     getragen     wear      wore worn     person  acc clothes hat         stative
tragen      trägt     getragen     carry     -             person  acc load                careful
benutzen    benutzt   benutzt      use       -             person  acc tool reading        -
vergessen   vergisst  vergessen    forget    forgot forgotten  person  acc found explained ticket  event alone
bezahlen    bezahlt   bezahlt      pay       paid          person  acc debt                event
verstehen   versteht  verstanden   understand  understood  person  acc explained           stative
lösen       löst      gelöst       solve     -             person  acc solved              event
bauen       baut      gebaut       build     built         person  acc built               -
gewinnen    gewinnt   gewonnen     win       won           person  acc won                 event alone
an-rufen    ruft      angerufen    call      -             person  acc kin worker          event
auf-machen  macht     aufgemacht   open      -             person  acc door mail secured   event
zu-machen   macht     zugemacht    close     -             person  acc door                event
auf-nehmen  nimmt     aufgenommen  record    -             person  acc heard               alone
auf-nehmen  nimmt     aufgenommen  take ~in  took taken    person adult  acc stray         event alone
auf-nehmen  nimmt     aufgenommen  take ~out  took taken   person adult  acc loan          event alone
ein-stellen  stellt   eingestellt  hire      -             person adult  acc staff         event alone
ein-stellen  stellt   eingestellt  adjust    -             person  acc dial                careful
ein-laden   lädt      eingeladen   invite    -             person  acc adult               event alone
ab-holen    holt      abgeholt     pick ~up  -             person  acc person mail ticket  event
mit-bringen  bringt   mitgebracht  bring     brought       person  acc fruit dish gift     event alone for
an-ziehen   zieht     angezogen    put ~on   put           person  acc clothes             event
aus-ziehen  zieht     ausgezogen   take ~off  took taken   person  acc clothes             event
ab-nehmen   nimmt     abgenommen   take ~off  took taken   person  acc hat                 event
auf-geben   gibt      aufgegeben   give ~up  gave given    person  acc given-up            event alone
auf-geben   gibt      aufgegeben   mail      -             person  acc mail                event alone
zurück-geben  gibt    zurückgegeben  return  -             person  acc tool gift           event alone to
weg-werfen  wirft     weggeworfen  throw ~away  threw thrown  person  acc reading clothes  event
an-machen   macht     angemacht    turn ~on  -             person  acc switched            event
aus-machen  macht     ausgemacht   turn ~off  -            person  acc switched            event
auf-räumen  räumt     aufgeräumt   tidy ~up  -             person  acc tidied              careful alone
vor-bereiten  bereitet  vorbereitet  prepare  -            person  acc planned             careful
ab-sagen    sagt      abgesagt     cancel    -             person  acc planned             event alone
an-sehen    sieht     angesehen    look at   -             person  acc sight-object        -
auf-heben   hebt      aufgehoben   pick ~up  -             person  acc small toy           event
auf-heben   hebt      aufgehoben   overturn  -             judge   acc verdict             event alone
verlassen   verlässt  verlassen    leave     left          person  acc left                event alone
entlassen   entlässt  entlassen    fire      -             person adult  acc staff         event alone
entlassen   entlässt  entlassen    discharge  -            person adult  acc sick          event alone
bestehen    besteht   bestanden    pass      -             person  acc test                event alone
überqueren  überquert  überquert   cross     -             person animal  acc crossed      alone
"""

_WITH_PREPOSITION = """
warten       wartet    gewartet    wait for          -    person  auf+acc adult transport awaited  -
denken       denkt     gedacht     think of          thought  person  an+acc adult planned trip  alone
sich freuen  freut     gefreut     look forward to   -    person  auf+acc planned trip         alone
sich freuen  freut     gefreut     be happy about    -    person  über+acc gift awaited bouquet  stative
sich interessieren  interessiert  interessiert  be interested in  -  person  für+acc sight heard  stative
sprechen     spricht   gesprochen  talk to           -    person  mit+dat adult                -
sprechen     spricht   gesprochen  talk about        -    person  über+acc planned idea work   -
träumen      träumt    geträumt    dream of          -    person  von+dat trip city vehicle    alone
sich kümmern  kümmert  gekümmert   take care of      took taken  person  um+acc stray person animal  alone
sich erinnern  erinnert  erinnert  remember          -    person  an+acc adult idea work       stative
sich verlassen  verlässt  verlassen  rely on         -    person  auf+acc adult                stative
bestehen     besteht   bestanden   insist on         -    person  auf+dat awaited given-up     alone
fragen       fragt     gefragt     ask about         -    person  nach+dat figure destination  event alone
helfen       hilft     geholfen    help              -    person  dat person                   -
danken       dankt     gedankt     thank             -    person  dat adult                    event alone
zu-hören     hört      zugehört    listen to         -    person  dat adult                    -
gehören      gehört    gehört      belong to         -    goods tool animal home  dat adult    stative
gefallen     gefällt   gefallen    like              -    person  nom sight gift work bouquet  stative swapped
schmecken    schmeckt  geschmeckt  like              -    person  nom food drink               stative swapped
fehlen       fehlt     gefehlt     miss              -    person  nom adult city animal        stative swapped
"""

_WITH_PLACE = """
sitzen        sitzt     gesessen       sit        sat         person animal  at seat               -
schlafen      schläft   geschlafen     sleep      slept       person animal  at seat               -
sich setzen   setzt     gesetzt        sit down   sat         person         to seat               event
wohnen        wohnt     gewohnt        live       -           person         at city country home  alone
arbeiten      arbeitet  gearbeitet     work       -           adult          at site city          -
gehen         geht      ist gegangen   go         went gone   person         to site destination   -
laufen        läuft     ist gelaufen   run        ran run     person animal  to site destination   -
fahren        fährt     ist gefahren   go         went gone   person         to city country destination  -
fliegen       fliegt    ist geflogen   fly        flew flown  person         to city country       -
reisen        reist     ist gereist    travel     -           person         to city country       -
um-ziehen     zieht     ist umgezogen  move       -           person adult   to city country       event alone
zurück-kommen  kommt    ist zurückgekommen  come back  came come  person     to city country home  event
"""

_MEASURED = """
kosten     kostet    gekostet       cost     cost         goods home machine  acc euros       stative
verdienen  verdient  verdient       earn     -            adult worker        acc wage        alone
aus-geben  gibt      ausgegeben     spend    spent        person              acc euros       event
steigen    steigt    ist gestiegen  rise by  rose risen   figure              um+acc percent  alone
fallen     fällt     ist gefallen   fall by  fell fallen  figure              um+acc percent  alone
wiegen     wiegt     gewogen        weigh    -            load animal         acc kilos       stative
laufen     läuft     ist gelaufen   run      ran run      person              acc kilometers  -
"""

_IDIOMS = """
ins Gras beißen           beißt     gebissen      kick the bucket            -     adult animal  -     -
ins Fettnäpfchen treten   tritt     ist getreten  put {own} foot in it       put   person   -          -
Schwein haben             hat       hatte/gehabt  be lucky                   -     person   -          stative
die Nase voll haben       hat       hatte/gehabt  be fed up                  -     person   -          stative
ins Wasser fallen         fällt     ist gefallen  be called off              -     planned  -          stative
den Faden verlieren       verliert  verloren      lose {own} train of thought  lost  person  -         -
die Katze im Sack kaufen  kauft     gekauft       buy a pig in a poke        bought  person  -         -
zwei Fliegen mit einer Klappe schlagen  schlägt  geschlagen  kill two birds with one stone  -  person  -  -
auf den Arm nehmen        nimmt     genommen      pull {object} leg          -     person   acc adult  -
im Stich lassen           lässt     gelassen      let ~down                  let   person   acc adult  -
die Daumen drücken        drückt    gedrückt      keep {own} fingers crossed for  kept  person  dat adult  -
auf die Nerven gehen      geht      ist gegangen  get on {object} nerves     got gotten  person  dat adult  -
in die Luft gehen         geht      ist gegangen  hit the roof               hit   person   -          -
aus allen Wolken fallen   fällt     ist gefallen  be flabbergasted           -     person   -          stative
"""

_REPORTING = """
sagen      sagt       gesagt     say      said              person  -  past
erzählen   erzählt    erzählt    say      said              person  -  past
behaupten  behauptet  behauptet  claim    -                 person  -  past
vergessen  vergisst   vergessen  forget   forgot forgotten  person  -  past
glauben    glaubt     geglaubt   believe  -                 person  -  stative
hoffen     hofft      gehofft    hope     -                 person  -  stative
wissen     weiß       gewusst    know     knew known        person  -  stative
"""

_CASES = {"nom": Case.NOMINATIVE, "acc": Case.ACCUSATIVE, "dat": Case.DATIVE}


def make_verb(
    german: str, third: str, participle: str, english: str, forms: str, subjects: str, wanted: str, notes: str
) -> Verb:
    """One line of the tables as a verb; the copula and the verbs of weather are made with it, too."""
    *before, verb = german.split()
    prefix, _, stem = verb.rpartition("-")
    base, *others = english.split()
    particles = [word[1:] for word in others if word.startswith("~")]
    pasts = (forms or english_past(base)).split()
    preterite, _, participle = participle.rpartition("/")
    relation, *objects = wanted.split() or [""]
    preposition, _, case = relation.rpartition("+")
    marks = notes.split()
    return Verb(
        infinitive=stem,
        prefix=prefix,
        present=german_present(stem, third),
        participle=participle.removeprefix("ist "),
        with_sein=participle.startswith("ist "),
        preterite=preterite,
        reflexive="sich" in before,
        fixed=" ".join(word for word in before if word != "sich"),
        english=base,
        english_third=english_third(base),
        english_past=pasts[0],
        english_participle=pasts[-1],
        english_gerund=english_gerund(base),
        particle=" ".join(particles),
        after=" ".join(word for word in others if not word.startswith("~")),
        subjects=tuple(subjects.split()),
        objects=tuple(objects),
        object_case=_CASES.get(case),
        preposition=preposition,
        place=relation if relation in ("at", "to") else "",
        receiver=next((mark for mark in marks if mark in ("to", "for")), ""),
        marks=tuple(marks),
    )


def _make_verbs(table: str) -> tuple[Verb, ...]:
    return tuple(make_verb(*cells) for cells in rows(table, 8))


VERBS_WITHOUT_OBJECT = _make_verbs(_WITHOUT_OBJECT)
VERBS_WITH_OBJECT = _make_verbs(_WITH_OBJECT)
VERBS_WITH_PREPOSITION = _make_verbs(_WITH_PREPOSITION)
VERBS_WITH_PLACE = _make_verbs(_WITH_PLACE)
VERBS_MEASURED = _make_verbs(_MEASURED)
IDIOMS = _make_verbs(_IDIOMS)
REPORTING_VERBS = _make_verbs(_REPORTING)
COPULA = make_verb("sein", "ist", "war/ist gewesen", "be", "", "", "", "stative")
TO_RAIN = make_verb("regnen", "regnet", "geregnet", "rain", "", "", "", "alone")
TO_SNOW = make_verb("schneien", "schneit", "geschneit", "snow", "", "", "", "alone")
