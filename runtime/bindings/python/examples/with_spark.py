"""Extracts titles, links, text, language and errors of pages with PySpark: ``python with_spark.py pages.parquet out.parquet``.

Each task passes its batches to one plan; Spark reruns a task if its worker dies. Without a cluster, this uses two local workers.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
import pytabulex
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def main(pages: str, out: str, master: str = "local-cluster[2,1,1024]") -> None:
    plan = PLAN

    def extract(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield plan.batch(batch["payload"], batch["content_type"], batch["url"])

    spark = (
        SparkSession.builder.master(master)
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 64)
        .config("spark.sql.files.maxPartitionBytes", 4_000_000)
        .getOrCreate()
    )
    schema = from_arrow_schema(plan.schema.insert(0, pa.field("url", pa.string())))
    read = spark.read.parquet(pages).select("url", "content_type", "payload")
    read.mapInArrow(extract, schema).write.mode("overwrite").parquet(out)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
