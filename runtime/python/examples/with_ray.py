"""Titles, links, text, language and errors of pages with Ray Data: ``python with_ray.py pages.parquet out.parquet``.

Ray runs a task again if its worker dies.
"""

import sys

import pyarrow as pa
import ray
import tabulex

PLAN = tabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def main(pages: str, out: str, workers: int | str = 2) -> None:
    plan = PLAN

    def extract(table: pa.Table) -> pa.Table:
        return pa.Table.from_batches([plan.batch(table["payload"], table["content_type"], table["url"])])

    ray.init(num_cpus=int(workers), include_dashboard=False, configure_logging=False)
    read = ray.data.read_parquet(pages, columns=["url", "content_type", "payload"])
    read.map_batches(extract, batch_format="pyarrow", batch_size=64).write_parquet(out)
    ray.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
