//! WARC files as a table. Files are read on demand, at most one per partition of the session at a time.

use crate::responses::{Responses, SizeLimits};
use crate::rows::schema;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;
use std::path::PathBuf;
use std::sync::Arc;

/// Number of batches read ahead per partition.
const BATCHES_AHEAD: usize = 1;

/// A table function that reads WARC files. Its arguments are the paths of the files as texts, in which `*`, `?` and
/// `[…]` are wildcards.
///
/// The table has a row for each response, resource and conversion, with the columns `url`, `date`, `status` (responses
/// only), `content_type` (the header of the response, or else that of the record), `payload` (with transfer and content
/// codings decoded), `offset` (of the record or its gzip member, in bytes of the file) and `error` (the reason why the
/// payload is missing or incomplete).
///
/// A file that cannot be opened ends the query; a damaged record does not.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadWarc {
    sizes: SizeLimits,
}

impl ReadWarc {
    /// Creates a table function with [`SizeLimits::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits on the sizes of batches and payloads.
    #[must_use]
    pub fn sizes(mut self, sizes: SizeLimits) -> Self {
        self.sizes = sizes;
        self
    }
}

impl TableFunctionImpl for ReadWarc {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let mut files = Vec::new();
        for argument in arguments.exprs() {
            let text =
                if let Expr::Literal(value, _) = argument { value.try_as_str() } else { None };
            let Some(Some(pattern)) = text else {
                return plan_err!("the path of a WARC file must be a string, not `{argument}`");
            };
            files.extend(matching_files(pattern)?);
        }
        if files.is_empty() {
            return plan_err!("missing path of a WARC file");
        }
        let partition_count =
            arguments.session().config().target_partitions().clamp(1, files.len());
        let mut partitions = vec![Vec::new(); partition_count];
        files
            .into_iter()
            .enumerate()
            .for_each(|(index, file)| partitions[index % partition_count].push(file));
        let new_partition =
            |files| Arc::new(FilePartition { files, sizes: self.sizes, schema: schema() }) as _;
        Ok(Arc::new(StreamingTable::try_new(
            schema(),
            partitions.into_iter().map(new_partition).collect(),
        )?))
    }
}

/// Returns the files that match a pattern, sorted by name. A pattern without `*`, `?` and `[` is a path, which need not
/// exist; a pattern that names an existing file is a path, too.
fn matching_files(pattern: &str) -> Result<Vec<PathBuf>> {
    if !pattern.contains(['*', '?', '[']) || PathBuf::from(pattern).exists() {
        return Ok(vec![pattern.into()]);
    }
    let paths = glob::glob(pattern).map_err(|error| DataFusionError::External(Box::new(error)))?;
    let paths = paths.collect::<Result<Vec<_>, _>>();
    let paths = paths.map_err(|error| DataFusionError::IoError(error.into()))?;
    match paths.is_empty() {
        true => plan_err!("no file matches `{pattern}`"),
        false => Ok(paths),
    }
}

/// A partition: some of the files, read one after the other.
#[derive(Debug)]
struct FilePartition {
    files: Vec<PathBuf>,
    sizes: SizeLimits,
    schema: SchemaRef,
}

impl PartitionStream for FilePartition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(schema(), BATCHES_AHEAD);
        let (sender, files, sizes) = (stream.tx(), self.files.clone(), self.sizes);
        // Reading and decompressing files blocks the thread, so it must not run on one for asynchronous work.
        stream.spawn_blocking(move || {
            for file in files {
                let responses = Responses::open(&file, sizes).map_err(|error| {
                    let path = file.display();
                    DataFusionError::IoError(std::io::Error::other(format!("{path}: {error}")))
                })?;
                for batch in responses {
                    // The receiver is gone once the query has ended.
                    if sender.blocking_send(batch.map_err(Into::into)).is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        stream.build()
    }
}
