"""Extracts titles and links of pages in SQL, with DataFusion: ``python with_datafusion.py pages.parquet out.parquet``."""

import sys

import pyarrow as pa
import pytabulex
from datafusion import SessionContext, udf

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def main(pages: str, out: str) -> None:
    def extract(payload: pa.Array, content_type: pa.Array) -> pa.Array:
        return PLAN.batch(payload, content_type).to_struct_array()

    context = SessionContext()
    context.register_parquet("pages", pages)
    kinds = [context.table("pages").schema().field(name).type for name in ("payload", "content_type")]
    result = pa.struct(list(PLAN.schema))
    context.register_udf(udf(extract, kinds, result, "immutable", "tabulex"))
    fields = ", ".join(f"found['{name}'] AS {name}" for name in PLAN.schema.names)
    query = f"SELECT url, {fields} FROM (SELECT url, tabulex(payload, content_type) AS found FROM pages)"
    context.sql(query).write_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
