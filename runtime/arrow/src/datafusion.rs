//! Plans as functions of DataFusion, with the feature `datafusion`: a scalar function that makes a struct of each page of a
//! column, and a table function that makes a row of each file it is given. It plans no queries. Invariant: no page and no file
//! fails a query; what goes wrong with one is said in its row.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use tabulex_arrow::{Plan, datafusion::{scalar_function, table_function}};
//!
//! let plan = Plan::new().select("title", "title:first")?.select("links", "a[href]@href")?;
//! let context = SessionContext::new();
//! context.register_udf(scalar_function("page", plan.clone()));
//! context.register_udtf("pages", table_function(plan));
//! // SELECT page(payload, content_type, url)['title'] FROM crawl
//! // SELECT path, title, links FROM pages('folder', 'another/file.html')
//! # Ok::<(), tabulex_arrow::PlanError>(())
//! ```

mod files;

use crate::pages::{Cells, Pages};
use crate::plan::Plan;
use arrow_array::StructArray;
use arrow_schema::DataType;
use datafusion::common::{exec_datafusion_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature,
    Volatility,
};
pub use files::table_function;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A scalar function of this name: of a page, and if wanted of its Content-Type and of its URL, a struct of the plan's columns.
/// Pages are text, or bytes whose encodings are found out.
pub fn scalar_function(name: &str, plan: Plan) -> ScalarUDF {
    let arguments = (1..=3).map(TypeSignature::Any).collect();
    let signature = Signature::one_of(arguments, Volatility::Immutable);
    ScalarUDF::new_from_impl(Scalar { name: name.to_owned(), plan: Arc::new(plan), signature })
}

/// What DataFusion calls.
#[derive(Debug)]
struct Scalar {
    name: String,
    plan: Arc<Plan>,
    signature: Signature,
}

/// Two are the same if they have the same name and plan: DataFusion takes what is written twice together.
impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.plan, &other.plan)
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        Arc::as_ptr(&self.plan).hash(state);
    }
}

impl ScalarUDFImpl for Scalar {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments.iter().find(|it| !Cells::are_in(it)) {
            Some(other) => plan_err!("{} takes text or bytes, not {other}", self.name),
            None => Ok(DataType::Struct(self.plan.schema().fields().clone())),
        }
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = given.args.iter().map(|column| column.to_array(given.number_rows));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let [pages, others @ ..] = &columns[..] else {
            return Err(exec_datafusion_err!("{} without a page", self.name));
        };
        let mut pages = Pages::new(pages);
        if let Some(content_types) = others.first() {
            pages = pages.content_types(content_types);
        }
        if let Some(urls) = others.get(1) {
            pages = pages.urls(urls);
        }
        let made = self.plan.columns(&pages).map_err(|error| exec_datafusion_err!("{error}"))?;
        let fields = self.plan.schema().fields().clone();
        Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(fields, made, None)?)))
    }
}
