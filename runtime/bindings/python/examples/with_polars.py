"""Extracts titles, links, text, language and errors of pages with Polars: ``python with_polars.py pages.parquet out.parquet``.

Columns are passed from and to Polars without copying.
"""

import sys

import polars as pl
import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def main(pages: str, out: str) -> None:
    def extract(frame: pl.DataFrame) -> pl.DataFrame:
        made = pl.from_arrow(PLAN.batch(frame["payload"], frame["content_type"], frame["url"], threads=0))
        assert isinstance(made, pl.DataFrame)
        return made

    read = pl.scan_parquet(pages).select("url", "content_type", "payload")
    schema = pl.from_arrow(PLAN.batch([""], url=[""])).schema
    read.map_batches(extract, schema=schema).sink_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
