"""The plan that all examples have. There is nothing else here."""

import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")
