//! The derive macros of [tenure](https://docs.rs/tenure). Use them from there, with the feature
//! `derive`.
//!
//! `Row` reads the struct (`record`), checks it (`validate`) and generates the code (`expand`).
//! `Relink` is in a module of that name. The identifiers of the generated code cannot clash with
//! those of the user (`names`).

mod attributes;
mod expand;
mod names;
mod part;
mod record;
mod relink;
mod self_type;
#[cfg(test)]
mod tests;
mod validate;

use proc_macro2::TokenStream;

use self::record::Record;

/// Makes a struct the row of a table: every field becomes a column.
///
/// For a struct `Creature` it implements `Row` and generates four structs with the fields of
/// `Creature`, their visibility and their documentation:
///
/// | struct | type of a field `energy: f32` | represents |
/// |---|---|---|
/// | `CreatureRef<'_>` | `&f32` | a row; `Copy` |
/// | `CreatureMut<'_>` | `&mut f32` | a row, mutably |
/// | `CreatureColumns<'_>` | `&[f32]` | all rows, by column; `Copy` |
/// | `CreatureColumnsMut<'_>` | `&mut [f32]` | all rows, by column, mutably |
///
/// They implement `Debug`, `PartialEq` and `Eq` if all fields do. The storage of the rows
/// implements `Clone` if all fields do.
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
/// | a field | `#[row(skip)]` | The field has no column. It is dropped when a row is inserted, and created by `Default::default()` when a row is removed. If that panics, the row is inserted, or removed, as a whole. |
/// | a field | `#[row(nested)]` | The type of the field is itself a `Row`, whose columns become columns of the table. |
/// | the struct | `#[row(derive(Trait))]` | `CreatureRef` derives this trait, too. With `Serialize`, a table can be saved: `CreatureRef` then has the `#[serde(…)]` attributes of the struct and its fields, except that `serialize_with` and `with` get one more reference. |
/// | the struct | `#[row(snapshot)]` | A table has raw snapshots, with the feature `snapshot` of tenure: see `tenure::snapshot`. All columns must be plain data. |
/// | the struct | `#[row(crate = path)]` | The path of tenure, if it is not `::tenure`. |
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
/// # When not to use it
///
/// - Enums, unions and structs whose fields have no names: use a `DensePool`, which stores any
///   value in one column.
/// - Structs that implement `Drop`: their fields cannot be moved into columns one by one. The
///   compiler rejects them (`conflicting implementations of trait RowsMustNotImplementDrop`).
///   Implement `Drop` for a field instead.
#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    row(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Finds every handle in a struct or an enum, so that references are relinked when values are
/// merged, copied or loaded.
///
/// ```
/// use tenure::{Handle, Pool, Relink};
///
/// #[derive(Clone, Relink)]
/// struct Goblin {
///     name: String,
///     boss: Option<Handle<Goblin>>,
///     goal: Goal,
/// }
///
/// #[derive(Clone, Relink)]
/// enum Goal {
///     Sleep,
///     Attack { target: Handle<Goblin> },
/// }
///
/// let mut goblins = Pool::new();
/// let boss = goblins.insert(Goblin { name: "Boss".into(), boss: None, goal: Goal::Sleep });
/// let grik = goblins.insert(Goblin { name: "Grik".into(), boss: Some(boss), goal: Goal::Attack { target: boss } });
///
/// let copies = goblins.copy_group(&[boss, grik]).unwrap();
/// let (other_boss, other_grik) = (copies.new_handle(boss).unwrap(), copies.new_handle(grik).unwrap());
/// assert_eq!(goblins[other_grik].boss, Some(other_boss)); // the copy's boss
/// ```
///
/// Every field must implement `Relink`. Handles do; so do numbers and strings, which contain no
/// handles; options, arrays, vectors, maps, boxes and other types of the standard library, if their
/// contents do; and types that derive it.
///
/// # Attributes
///
/// | on | attribute | what it does |
/// |---|---|---|
/// | a field | `#[relink(skip)]` | The field has no handles. Its type can be anything. |
/// | a field | `#[relink(with = module)]` | The functions `visit` and `relink` of the module handle the field: `tenure::relink::map` for a `HashMap`, `tenure::relink::set` for a `HashSet`, or a module of your own. |
/// | the type | `#[relink(bound(T: …))]` | The bounds of the parameters. Without it, parameters that occur in fields must be `Relink`, and kinds of handles must be `'static`. |
/// | the type | `#[relink(crate = path)]` | The path of tenure, if it is not `::tenure`. |
#[proc_macro_derive(Relink, attributes(relink))]
pub fn derive_relink(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    relink::derive(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn row(input: TokenStream) -> syn::Result<TokenStream> {
    names::choose_prefix(&input);
    let input = self_type::spell_out(input)?;
    let record = Record::read(&input)?;
    validate::check(&record)?;
    Ok(expand::expand(&record))
}
