//! The table function: rows of files. Files are read when their turn comes, a few at a time, in as many partitions as the session
//! wants. Invariant: the rows are those of the files that are there when the query is planned, in the order of their paths in each
//! partition; a file that cannot be read is a row with its error.

use crate::pages::Pages;
use crate::plan::Plan;
use arrow_array::{Array, BinaryArray, RecordBatch, StringArray, cast::AsArray as _};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{exec_datafusion_err, plan_err};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many files a batch has at most.
const ROWS: usize = 64;

/// After how many bytes of files a batch ends.
const BYTES: u64 = 16 << 20;

/// A table function: given paths of files, or of folders with files in them, it is a table with the column `path` and those of
/// the plan, a row for each file. Files are read on the machine that runs the query.
pub fn table_function(plan: Plan) -> Arc<dyn TableFunctionImpl> {
    Arc::new(Table { plan: Arc::new(plan) })
}

#[derive(Debug)]
struct Table {
    plan: Arc<Plan>,
}

impl TableFunctionImpl for Table {
    fn call_with_args(&self, given: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let mut files = Vec::new();
        for written in given.exprs() {
            let path = match written {
                Expr::Literal(value, _) => value.try_as_str().flatten(),
                _ => None,
            };
            let Some(path) = path else { return plan_err!("{written} is no path of files") };
            files.extend(files_of(Path::new(path))?);
        }
        let mut fields = vec![Arc::new(Field::new("path", DataType::Utf8, false))];
        fields.extend(self.plan.schema().fields().iter().cloned());
        let schema = Arc::new(Schema::new(fields));
        let partitions = given.session().config_options().execution.target_partitions;
        let each = files.len().div_ceil(partitions.max(1)).max(1);
        let partition = |files: &[PathBuf]| {
            let (schema, plan, files) =
                (Arc::clone(&schema), Arc::clone(&self.plan), files.to_vec());
            Arc::new(Partition { schema, plan, files }) as Arc<dyn PartitionStream>
        };
        let partitions = files.chunks(each).map(partition).collect();
        Ok(Arc::new(StreamingTable::try_new(Arc::clone(&schema), partitions)?))
    }
}

/// The file itself, or the files of a folder, sorted by their paths.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| exec_datafusion_err!("cannot read {}: {error}", path.display());
    if !path.is_dir() {
        fs::metadata(path).map_err(failed)?;
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed));
    let mut files = paths.collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// Some of the files.
#[derive(Debug)]
struct Partition {
    schema: SchemaRef,
    plan: Arc<Plan>,
    files: Vec<PathBuf>,
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (schema, plan) = (Arc::clone(&self.schema), Arc::clone(&self.plan));
        let mut files = self.files.clone().into_iter();
        let batches = std::iter::from_fn(move || {
            let (mut paths, mut contents, mut bytes) = (Vec::new(), Vec::new(), 0);
            while paths.len() < ROWS
                && bytes < BYTES
                && let Some(path) = files.next()
            {
                let content = fs::read(&path);
                bytes += content.as_ref().map_or(0, |content| content.len() as u64);
                paths.push(path);
                contents.push(content);
            }
            (!paths.is_empty()).then(|| batch(&plan, &schema, &paths, &contents))
        });
        let stream = futures::stream::iter(batches);
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream))
    }
}

/// The rows of files; of one that could not be read there is nothing but the error.
fn batch(
    plan: &Plan,
    schema: &SchemaRef,
    paths: &[PathBuf],
    contents: &[std::io::Result<Vec<u8>>],
) -> Result<RecordBatch> {
    let pages: BinaryArray = contents.iter().map(|content| content.as_ref().ok()).collect();
    let made = plan.columns(&Pages::new(&pages));
    let mut columns = made.map_err(|error| exec_datafusion_err!("{error}"))?;
    // The plan's last column is always that of errors.
    if let Some(errors) = columns.last_mut() {
        let told = errors.as_string::<i32>().iter();
        let told = told.zip(contents).map(|(told, content)| match content {
            Ok(_) => told.map(str::to_owned),
            Err(error) => Some(format!("cannot be read: {error}")),
        });
        *errors = Arc::new(told.collect::<StringArray>()) as Arc<dyn Array>;
    }
    let paths = paths.iter().map(|path| Some(path.to_string_lossy()));
    columns.insert(0, Arc::new(paths.collect::<StringArray>()));
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}
