"""Any language that puts blanks between words and has no rule file of its own."""

from redraft.text.languages.language import Language, words

# Initials and a few abbreviations that many languages share.
GENERIC = Language(
    code="generic",
    name="any language with blanks between words",
    abbreviations=words("Dr Prof St Co Inc Ltd vs etc Nr"),
    abbreviations_before_number=words("No p pp"),
)
