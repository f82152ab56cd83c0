//! The derive macro of [tenure](https://docs.rs/tenure). Use it from there, with the feature `derive`.
//!
//! It reads the struct (`record`), checks it (`validate`) and writes the code (`expand`).

mod attributes;
mod expand;
mod part;
mod record;
mod self_type;
#[cfg(test)]
mod tests;
mod validate;

use proc_macro2::TokenStream;

use self::record::Record;

/// Makes a struct the row of a table: every field becomes a column.
///
/// For a struct `Creature` it implements `Row` and makes four structs that have the fields of `Creature`, with their
/// visibility and documentation:
///
/// | struct | a field `energy: f32` is there as | what it is |
/// |---|---|---|
/// | `CreatureRef<'_>` | `&f32` | a row, to look at; `Copy` |
/// | `CreatureMut<'_>` | `&mut f32` | a row, to change |
/// | `CreatureColumns<'_>` | `&[f32]` | all rows, column by column, to look at; `Copy` |
/// | `CreatureColumnsMut<'_>` | `&mut [f32]` | all rows, column by column, to change |
///
/// They are `Debug`, `PartialEq` and `Eq` if all fields are. What holds the rows is `Clone` if all fields are.
///
/// ```
/// use tenure::{Row, Table};
///
/// #[derive(Row)]
/// struct Creature {
///     x: f32,
///     speed: f32,
/// }
///
/// let mut creatures = Table::new();
/// let slow = creatures.insert(Creature { x: 0.0, speed: 0.5 });
/// let fast = creatures.insert(Creature { x: 4.0, speed: 1.5 });
///
/// let CreatureColumnsMut { x, speed } = creatures.columns_mut();
/// for (x, speed) in x.iter_mut().zip(speed) {
///     *x += *speed;
/// }
/// assert_eq!(creatures.columns().x, [0.5, 5.5]);
/// assert_eq!(*creatures.get(fast).unwrap().x, 5.5);
/// ```
///
/// # Attributes
///
/// | on | attribute | what it does |
/// |---|---|---|
/// | a field | `#[row(skip)]` | The field has no column. It is dropped when a row is put in, and made by `Default::default()` when a row is taken out. |
/// | a field | `#[row(nested)]` | The field's type is itself a `Row`: its columns are among the columns. |
/// | the struct | `#[row(derive(Trait))]` | `CreatureRef` derives this, too. With `Serialize`, a table can be saved: `CreatureRef` then has the `#[serde(…)]` attributes of the struct and its fields, except that `serialize_with` and `with` get a reference more. |
/// | the struct | `#[row(snapshot)]` | A table has raw snapshots, with the feature `bytemuck` of tenure: see `tenure::snapshot`. All columns must be plain data. |
/// | the struct | `#[row(crate = path)]` | Where tenure is, if it is not `::tenure`. |
///
/// ```
/// use tenure::{Row, Table};
///
/// #[derive(Row)]
/// struct Vec2 {
///     x: f32,
///     y: f32,
/// }
///
/// #[derive(Row)]
/// struct Creature {
///     #[row(nested)]
///     pos: Vec2,
///     energy: f32,
///     #[row(skip)]
///     scratch: Vec<u8>,
/// }
///
/// let mut creatures = Table::new();
/// let it = creatures.insert(Creature { pos: Vec2 { x: 1.0, y: 2.0 }, energy: 10.0, scratch: vec![7] });
///
/// assert_eq!(creatures.columns().pos.x, [1.0]);
/// assert!(creatures.remove(it).unwrap().scratch.is_empty());
/// ```
///
/// # What it is not for
///
/// - Enums, unions and structs whose fields have no names: take a `DensePool`, which holds any value in one column.
/// - Structs that implement `Drop`: their fields cannot be moved into columns one by one. Let a field implement it.
#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    row(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn row(input: TokenStream) -> syn::Result<TokenStream> {
    let input = self_type::spell_out(input)?;
    let record = Record::read(&input)?;
    validate::check(&record)?;
    Ok(expand::expand(&record))
}
