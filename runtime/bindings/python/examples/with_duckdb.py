"""Extracts titles, links and texts of pages in SQL, with DuckDB: ``python with_duckdb.py pages.parquet out.parquet``."""

import sys

import duckdb
import pyarrow as pa
import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")
RESULT = (
    "STRUCT(title VARCHAR, links VARCHAR[], lang VARCHAR, text VARCHAR, errors STRUCT(code VARCHAR, count BIGINT)[], "
    "encoding VARCHAR, events VARCHAR[], error VARCHAR)"
)


def main(pages: str, out: str) -> None:
    def extract(payload: pa.ChunkedArray, content_type: pa.ChunkedArray) -> pa.Array:
        return PLAN.batch(payload, content_type).to_struct_array()

    with duckdb.connect() as connection:
        connection.create_function("tabulex", extract, ["BLOB", "VARCHAR"], RESULT, type="arrow", null_handling="special")
        found = f"SELECT url, tabulex(payload, content_type) AS found FROM read_parquet('{pages}/*.parquet')"
        connection.execute(f"COPY (SELECT url, unnest(found) FROM ({found})) TO '{out}' (FORMAT parquet)")


if __name__ == "__main__":
    main(*sys.argv[1:])
