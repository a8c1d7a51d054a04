"""Extracts titles, links, text, language and errors from WARC files with Dask: ``python with_dask.py out.parquet FILE.warc.gz...``.

Each worker process reads files and writes their rows; Dask reruns a task if its worker dies.
"""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytabulex
from distributed import Client, LocalCluster

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def extract(plan: pytabulex.Plan, file: str, out: str) -> int:
    batches = pytabulex.read_warc(file, batch_rows=64)
    made = [plan.batch(batch["payload"], batch["content_type"], batch["url"]) for batch in batches]
    table = pa.Table.from_batches(made)
    pq.write_table(table, Path(out) / f"{Path(file).name}.parquet")
    return int(table.num_rows)


def main(out: str, *files: str, workers: int = 2) -> int:
    Path(out).mkdir(parents=True, exist_ok=True)
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        tasks = client.map(extract, [PLAN] * len(files), files, [out] * len(files))
        return sum(client.gather(tasks))


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
