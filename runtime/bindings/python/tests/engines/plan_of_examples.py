"""The plan shared by all examples."""

import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")
