//! A plan as a scalar function. It parses nothing itself. Invariant: the type of the result follows from the plan alone.

use datafusion::arrow::array::{ArrayRef, StructArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tabulex_arrow::{Pages, Plan};

/// The function of this name that runs a plan over a column of pages.
///
/// Its arguments are the page, as text or bytes; what the transport layer said its `Content-Type` is; and its URL, against which
/// links are resolved where the plan says `::url`. The last two may be left out or null. What it gives is a struct whose fields are
/// the columns of [`Plan::schema`], so that `tabulex(page)['title']` is one of them. Of a null all fields are null.
///
/// DataFusion runs a query on several threads; in each batch the function keeps to the one that calls it. The name is
/// lower case, as SQL takes names; `extract` would be a word of SQL itself.
#[must_use]
pub fn function(name: &str, plan: Plan) -> ScalarUDF {
    ScalarUDF::from(Extract {
        name: name.to_owned(),
        plan: Arc::new(plan),
        signature: Signature::user_defined(Volatility::Immutable),
    })
}

#[derive(Debug)]
struct Extract {
    name: String,
    plan: Arc<Plan>,
    signature: Signature,
}

impl PartialEq for Extract {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.plan, &other.plan)
    }
}

impl Eq for Extract {}

impl Hash for Extract {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        Arc::as_ptr(&self.plan).hash(state);
    }
}

impl ScalarUDFImpl for Extract {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let name = &self.name;
        if given.is_empty() || given.len() > 3 {
            return plan_err!("{name} takes a page, and if wanted its content type and URL");
        }
        let columns = ["page", "content type", "URL"];
        let typed = columns.into_iter().zip(given).map(|(column, given)| {
            // What stands for equal values is taken apart: each is a page of its own.
            let plain = if let DataType::Dictionary(_, value) = given { value } else { given };
            match plain {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(plain.clone()),
                DataType::Null => Ok(DataType::Utf8),
                DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::FixedSizeBinary(_)
                    if column == "page" =>
                {
                    Ok(plain.clone())
                }
                _ => plan_err!("the {column} that {name} is given is of type {plain}"),
            }
        });
        typed.collect()
    }

    fn return_type(&self, _given: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(self.plan.schema().fields().clone()))
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // Where all is said in the query itself, one page is parsed for all rows.
        let is_constant = given.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let rows = if is_constant { 1 } else { given.number_rows };
        let arrays = given.args.iter().map(|value| value.to_array(rows));
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        let [page, beside @ ..] = &arrays[..] else { return plan_err!("no page") };
        let mut pages = Pages::new(page);
        if let Some(content_types) = beside.first() {
            pages = pages.content_types(content_types);
        }
        if let Some(urls) = beside.get(1) {
            pages = pages.urls(urls);
        }
        let failure = |error| DataFusionError::External(Box::new(error));
        let mut batch = self.plan.batch(&pages).map_err(failure)?;
        if beside.len() > 1 {
            // The plan repeats the URLs; the query has them.
            batch.remove_column(0);
        }
        let found: ArrayRef = Arc::new(StructArray::from(batch));
        match is_constant {
            true => Ok(ColumnarValue::Scalar(datafusion::common::ScalarValue::try_from_array(
                &found, 0,
            )?)),
            false => Ok(ColumnarValue::Array(found)),
        }
    }
}
