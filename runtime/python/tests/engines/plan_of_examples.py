"""The plan that all examples have. There is nothing else here."""

import tabulex

PLAN = tabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")
