//! No input makes a tokenizer panic, or takes more than linear time.
