use crate::contender::{Family, Role};
use crate::value::Value;
pub struct Pools;
impl Family for Pools {
    const NAME: &'static str = "Pool";
    const ROLE: Role = Role::Subject;
    type Of<T: Value> = slotmap::SlotMap<slotmap::DefaultKey, T>;
}
