"""Extracts titles, links, text, language and errors from WARC files with Ray Data: ``python with_ray.py out.parquet FILE.warc.gz...``.

Each task reads a file and writes its rows, so no page goes through Ray's object store; Ray reruns a task if its worker dies.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
import ray
import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def main(out: str, *files: str, workers: int = 2) -> None:
    plan = PLAN

    def extract(table: pa.Table) -> Iterator[pa.Table]:
        for file in table["item"].to_pylist():
            for batch in pytabulex.read_warc(file, batch_rows=64):
                made = plan.batch(batch["payload"], batch["content_type"], batch["url"])
                yield pa.Table.from_batches([made])

    ray.init(num_cpus=workers, include_dashboard=False, configure_logging=False)
    read = ray.data.from_items(list(files), override_num_blocks=len(files))
    read.map_batches(extract, batch_format="pyarrow", batch_size=1).write_parquet(out)
    ray.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
