//! A plan as a scalar function. The type of its result depends only on the plan.

use datafusion::arrow::array::{ArrayRef, StructArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tabulex_arrow::{Pages, Plan};

/// Creates a scalar function called `name` that runs a plan on a column of pages.
///
/// Its arguments are the page, as text or bytes; its `Content-Type` from the transport layer; and its URL, against
/// which links are resolved where the plan has `::url`. The last two are optional and may be null. The result is a
/// struct with the columns of [`Plan::schema`], such as `tabulex(page)['title']`. For a null page all fields are null.
///
/// DataFusion runs a query on several threads; the function uses only the calling thread for each batch. The name
/// should be in lowercase, as SQL folds names; `extract` is an SQL keyword.
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

    fn coerce_types(&self, argument_types: &[DataType]) -> Result<Vec<DataType>> {
        let name = &self.name;
        if argument_types.is_empty() || argument_types.len() > 3 {
            return plan_err!("`{name}` takes a page and, optionally, its content type and URL");
        }
        let columns = ["page", "content type", "URL"];
        let coerced_types = columns.into_iter().zip(argument_types).map(|(column, data_type)| {
            // A dictionary is expanded, as each row is a page of its own.
            let value_type =
                if let DataType::Dictionary(_, value) = data_type { value } else { data_type };
            match value_type {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(value_type.clone()),
                DataType::Null => Ok(DataType::Utf8),
                DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::FixedSizeBinary(_)
                    if column == "page" =>
                {
                    Ok(value_type.clone())
                }
                _ => {
                    let expected = if column == "page" { "text or bytes" } else { "text" };
                    plan_err!("the {column} passed to `{name}` must be {expected}, not the type `{value_type}`")
                }
            }
        });
        coerced_types.collect()
    }

    fn return_type(&self, _argument_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(self.plan.schema().fields().clone()))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // If all arguments are constants, one page is parsed for all rows.
        let is_constant =
            arguments.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let row_count = if is_constant { 1 } else { arguments.number_rows };
        let arrays = arguments.args.iter().map(|value| value.to_array(row_count));
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        let [page, other_arguments @ ..] = &arrays[..] else { return plan_err!("missing page") };
        let mut pages = Pages::new(page);
        if let Some(content_types) = other_arguments.first() {
            pages = pages.content_types(content_types);
        }
        if let Some(urls) = other_arguments.get(1) {
            pages = pages.urls(urls);
        }
        let to_error = |error| DataFusionError::External(Box::new(error));
        let mut batch = self.plan.batch(&pages).map_err(to_error)?;
        if other_arguments.len() > 1 {
            // The first column repeats the URLs, which the query already has.
            batch.remove_column(0);
        }
        let result: ArrayRef = Arc::new(StructArray::from(batch));
        match is_constant {
            true => Ok(ColumnarValue::Scalar(datafusion::common::ScalarValue::try_from_array(
                &result, 0,
            )?)),
            false => Ok(ColumnarValue::Array(result)),
        }
    }
}
