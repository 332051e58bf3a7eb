"""German."""

from redraft.text.languages.language import Language, Spacing, words

GERMAN = Language(
    code="de",
    name="German",
    apostrophe="alone",
    abbreviations=words(
        """
        Dr Dres Prof Hr Hrn Fr Frl Dipl Ing Mag Med Mr Mrs Ms St Str Hl Jr Sr
        z d h u o v n s
        bzw ca etc evtl ggf gegr inkl exkl vgl usw usf sog resp bspw zzgl abzgl allg bes bez dgl ebd einschl
        entspr gem gest geb verh verw insb insbes jew lt max min Mio Mrd Tsd mtl nachm vorm od rd sen jun tägl
        u.a z.B d.h u.U v.a Abs Abt Art Aufl Bd Bde Betr Kap Nr Nrn Pf Red Reg Rel Rep Sa So Mo Di Mi Do
        Verf Verl Vol Ziff
        Jan Feb Apr Aug Sept Okt Nov Dez Jh Jhd Chr n.Chr v.Chr dt engl frz ital span amerik österr schweiz
        Anm Bsp Fa Fn Forts Ges Hrsg Inh Kfm Std Sek Tel Tab Abb Co Corp Inc Ltd vs
        I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX
        i ii iii iv v vi vii viii ix x
        """
    ),
    abbreviations_before_number=words("S Fig Par"),
    ordinal_period=True,
    compounds_capital=True,
    decimal_mark=",",
    thousands_mark=".",
    function_words=words(
        """
        der die das und ist nicht den von zu mit sich des auf für ein eine im dem es auch als wie dass daß wir
        ich werden sind haben wird bei einer oder um einen über aus nach zur zum sie er kann wenn noch nur
        einem durch unter diese dieser mehr uns vor aber sein
        """
    ),
    spacing=Spacing(
        apostrophe_endings=words("s sche schen scher sches n ne nem nen ner nes"),
        quotes=(("„", "“"), ("‚", "‘"), ("»", "«")),
    ),
)
