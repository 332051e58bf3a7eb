"""English."""

from redraft.text.languages.language import Language, Spacing, words

ENGLISH = Language(
    code="en",
    name="English",
    apostrophe="joins_next",
    abbreviations=words(
        """
        Mr Mrs Ms Messrs Mmes Dr Drs Prof Rev Revd Fr Hon Sr Jr Esq Msgr St Ste Mt Ft
        Gen Adm Brig Cmdr Capt Cpt Col Comdr Cpl Lt Ltd Maj Pvt Sgt Supt Insp Det Sen Sens Rep Reps Gov Pres
        Amb Ald Bart Bldg Hosp Hr Op Ord Pfc Asst Assn Dept Univ Co Corp Inc Bros Ave Blvd Rd Messrs Reg Ph
        Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri
        vs v etc ibid cf viz i.e e.g a.m p.m approx ca Vol Vols Ed Eds Calif Mass Penn Conn Minn Tenn
        """
    ),
    abbreviations_before_number=words("No Nos Art Nr pp p para paras sec fig Figs vol ch"),
    function_words=words(
        """
        the of and to that is it for on with as be are this by have not from has at which we but they been you
        would there their will or its an more he she if our can also were these about than what who should
        your them his her when because how only could very your does did where
        """
    ),
    spacing=Spacing(
        joins_right=words("( [ { ¿ ¡ # @ $ £ €"),
        apostrophe_endings=words("s t re ve ll d m S T RE VE LL D M"),
    ),
)
