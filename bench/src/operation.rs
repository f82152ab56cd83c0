//! What is measured: one variant per operation, and what must be known about each.

use crate::cells::Size;

/// One kind of work. Its body is in [`crate::work`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    InsertGrowing,
    InsertReserved,
    GetInOrder,
    GetAtRandom,
    IndexAtRandom,
    WalkFor,
    WalkFold,
    WalkMutable,
    WalkMutableFold,
    WalkHandles,
    ReuseOneByOne,
    ReuseByQuarters,
    RemoveInOrder,
    Discard,
    WalkHalf,
    WalkTenth,
    WalkHundredth,
    WalkTenThousandth,
    Refill,
    Clone,
    Clear,
    RetainHalf,
    Drop,
    BytesReserved,
    BytesQuarterRemoved,
    BytesGrown,
    BytesPeak,
}

use Operation::*;

/// Those that every contender is compared by, in the order of the report.
pub const ALL: [Operation; 27] = [
    InsertGrowing,
    InsertReserved,
    GetInOrder,
    GetAtRandom,
    IndexAtRandom,
    WalkFor,
    WalkFold,
    WalkMutable,
    WalkMutableFold,
    WalkHandles,
    WalkHalf,
    WalkTenth,
    WalkHundredth,
    WalkTenThousandth,
    ReuseOneByOne,
    ReuseByQuarters,
    RemoveInOrder,
    Discard,
    Refill,
    RetainHalf,
    Clone,
    Clear,
    Drop,
    BytesReserved,
    BytesQuarterRemoved,
    BytesGrown,
    BytesPeak,
];

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Unit {
    #[serde(rename = "ns")]
    Nanoseconds,
    #[serde(rename = "bytes")]
    Bytes,
}

impl Operation {
    pub fn name(self) -> &'static str {
        match self {
            InsertGrowing => "insert growing",
            InsertReserved => "insert reserved",
            GetInOrder => "get in order",
            GetAtRandom => "get at random",
            IndexAtRandom => "index at random",
            WalkFor => "walk for",
            WalkFold => "walk fold",
            WalkMutable => "walk mutable",
            WalkMutableFold => "walk mutable fold",
            WalkHandles => "walk handles",
            WalkHalf => "walk 50% live",
            WalkTenth => "walk 10% live",
            WalkHundredth => "walk 1% live",
            WalkTenThousandth => "walk 0.01% live",
            ReuseOneByOne => "reuse one by one",
            ReuseByQuarters => "reuse by quarters",
            RemoveInOrder => "remove in order",
            Discard => "discard",
            Refill => "refill",
            RetainHalf => "retain half",
            Clone => "clone",
            Clear => "clear",
            Drop => "drop",
            BytesReserved => "bytes reserved",
            BytesQuarterRemoved => "bytes quarter removed",
            BytesGrown => "bytes grown",
            BytesPeak => "bytes peak",
        }
    }

    /// What exactly is timed or counted, and per what.
    pub fn about(self) -> &'static str {
        match self {
            InsertGrowing => "insert into a new container; per insert",
            InsertReserved => "make a container with enough capacity and fill it; per insert",
            GetInOrder => "get every value in order of insertion; per get",
            GetAtRandom => "get every value in random order; per get",
            IndexAtRandom => "index every value in random order; per value",
            WalkFor => "add up all values with a for loop; per value",
            WalkFold => "add up all values with sum(); per value",
            WalkMutable => "change all values with a for loop; per value",
            WalkMutableFold => "change all values with for_each(); per value",
            WalkHandles => "walk handles and values with a for loop; per value",
            WalkHalf | WalkTenth | WalkHundredth | WalkTenThousandth => {
                "add up the random survivors with a for loop; per survivor"
            }
            ReuseOneByOne => "remove one at random, insert one; per pair",
            ReuseByQuarters => "remove a random quarter, insert as many; per pair",
            RemoveInOrder => "remove all values but one in a hundred in order of insertion; per value",
            Discard => "remove every value at random and drop it; per value",
            Refill => "insert again after all were removed at random; per insert",
            RetainHalf => "keep a random half; per value before",
            Clone => "clone a full container; per value",
            Clear => "clear a full container; per value",
            Drop => "drop a full container of values with destructors; per value",
            BytesReserved => "heap after with_capacity and inserts; per value",
            BytesQuarterRemoved => "heap after a random quarter is removed from that; per value left",
            BytesGrown => "heap after growing from empty; per value",
            BytesPeak => "highest heap while growing, if every growth must copy; per value",
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            BytesReserved | BytesQuarterRemoved | BytesGrown | BytesPeak => Unit::Bytes,
            _ => Unit::Nanoseconds,
        }
    }

    /// Whether something is removed one by one: a plain `Vec` cannot without moving the others.
    pub fn removes(self) -> bool {
        let reuses =
            matches!(self, ReuseOneByOne | ReuseByQuarters | RemoveInOrder | Discard | Refill | BytesQuarterRemoved);
        reuses || self.one_live_in().is_some()
    }

    /// Timed on a container that never had a hole: what a user pays who never removes.
    pub fn without_holes(self) -> bool {
        self.unit() == Unit::Nanoseconds && !self.removes() && self != RetainHalf
    }

    /// In sparse walks one of this many values is alive.
    fn one_live_in(self) -> Option<usize> {
        match self {
            WalkHalf => Some(2),
            WalkTenth => Some(10),
            WalkHundredth => Some(100),
            WalkTenThousandth => Some(10_000),
            _ => None,
        }
    }

    /// How many of `count` values are alive in the walk.
    pub fn survivors(self, count: usize) -> usize {
        count / self.one_live_in().unwrap_or(1)
    }

    /// The sizes of values that the operation is measured with. Large values matter where they are
    /// moved, and where iterators skip most of their bytes.
    pub fn sizes(self) -> &'static [Size] {
        match self {
            Discard => &[Size::B64, Size::B640],
            WalkFor | WalkFold | WalkMutable | WalkMutableFold | WalkHandles => {
                &[Size::B4, Size::B8, Size::B24, Size::B64, Size::B256]
            }
            _ => &[Size::B4, Size::B8, Size::B24, Size::B64],
        }
    }

    /// A sparse walk over fewer than ten survivors would time the call, not the walk.
    pub fn fits(self, count: usize) -> bool {
        self.survivors(count) >= 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_walks_need_ten_survivors() {
        assert!(WalkHundredth.fits(1_000));
        assert!(!WalkTenThousandth.fits(10_000));
        assert!(WalkTenThousandth.fits(1_000_000));
    }

    #[test]
    fn names_differ() {
        let names: std::collections::HashSet<_> = ALL.iter().map(|operation| operation.name()).collect();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn cells_without_holes() {
        let names: Vec<_> = ALL.iter().filter(|op| op.without_holes()).map(|op| op.name()).collect();
        assert_eq!(names.len(), 13, "{names:?}");
    }
}
