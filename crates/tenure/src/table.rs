//! A table: rows packed without holes, in columns, each row with a handle that follows it.

mod columns;
mod order;

#[doc(hidden)]
pub use self::columns::TruncateLater;
pub use self::columns::{Columns, Row};
pub use self::order::{Order, OrderError};
