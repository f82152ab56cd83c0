//! The operations that are measured: names, explanations and properties.

use crate::cells::Size;

/// An operation. Its code is in [`crate::work`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    InsertGrowing,
    InsertReserved,
    GetInOrder,
    GetAtRandom,
    IndexAtRandom,
    IterateFor,
    IterateFold,
    IterateMutable,
    IterateMutableFold,
    IterateHandles,
    ReuseOneByOne,
    ReuseByQuarters,
    RemoveInOrder,
    Discard,
    IterateHalf,
    IterateTenth,
    IterateHundredth,
    IterateTenThousandth,
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

/// The operations of the grid, in the order of the report.
pub const ALL: [Operation; 27] = [
    InsertGrowing,
    InsertReserved,
    GetInOrder,
    GetAtRandom,
    IndexAtRandom,
    IterateFor,
    IterateFold,
    IterateMutable,
    IterateMutableFold,
    IterateHandles,
    IterateHalf,
    IterateTenth,
    IterateHundredth,
    IterateTenThousandth,
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

/// The unit of a figure.
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
            IterateFor => "iterate for loop",
            IterateFold => "iterate fold",
            IterateMutable => "iterate mutable",
            IterateMutableFold => "iterate mutable fold",
            IterateHandles => "iterate handles",
            IterateHalf => "iterate 50% live",
            IterateTenth => "iterate 10% live",
            IterateHundredth => "iterate 1% live",
            IterateTenThousandth => "iterate 0.01% live",
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

    /// Returns what exactly is timed or counted, and per what.
    pub fn about(self) -> &'static str {
        match self {
            InsertGrowing => "insert into a new container; per insert",
            InsertReserved => "create a container with enough capacity and fill it; per insert",
            GetInOrder => "get every value in order of insertion; per get",
            GetAtRandom => "get every value in random order; per get",
            IndexAtRandom => "index every value in random order; per value",
            IterateFor => "add up all values with a for loop; per value",
            IterateFold => "add up all values with sum(); per value",
            IterateMutable => "change all values with a for loop; per value",
            IterateMutableFold => "change all values with for_each(); per value",
            IterateHandles => "iterate over handles and values with a for loop; per value",
            IterateHalf | IterateTenth | IterateHundredth | IterateTenThousandth => {
                "add up the values that are left, at random indices, with a for loop; per value left"
            }
            ReuseOneByOne => "remove one value at random, insert one; per pair",
            ReuseByQuarters => "remove a random quarter, insert the same number; per pair",
            RemoveInOrder => "remove all values but one in a hundred in order of insertion; per value",
            Discard => "remove every value at random and drop it; per value",
            Refill => "insert after all values were removed in random order; per insert",
            RetainHalf => "retain a random half; per value before",
            Clone => "clone a full container; per value",
            Clear => "clear a full container; per value",
            Drop => "drop a full container of values with destructors; per value",
            BytesReserved => "heap after with_capacity and inserts; per value",
            BytesQuarterRemoved => "heap after a random quarter is then removed; per value left",
            BytesGrown => "heap after growing from empty; per value",
            BytesPeak => "peak of the heap while growing, if every growth copies; per value",
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            BytesReserved | BytesQuarterRemoved | BytesGrown | BytesPeak => Unit::Bytes,
            _ => Unit::Nanoseconds,
        }
    }

    /// Returns `true` if values are removed one by one, which a plain `Vec` does not support
    /// without moving other values.
    pub fn removes(self) -> bool {
        let reuses =
            matches!(self, ReuseOneByOne | ReuseByQuarters | RemoveInOrder | Discard | Refill | BytesQuarterRemoved);
        reuses || self.one_live_in().is_some()
    }

    /// Returns `true` if the operation is timed on a container from which nothing was removed.
    pub fn without_holes(self) -> bool {
        self.unit() == Unit::Nanoseconds && !self.removes() && self != RetainHalf
    }

    /// Returns `n` if one in `n` values is live during the iteration.
    fn one_live_in(self) -> Option<usize> {
        match self {
            IterateHalf => Some(2),
            IterateTenth => Some(10),
            IterateHundredth => Some(100),
            IterateTenThousandth => Some(10_000),
            _ => None,
        }
    }

    /// Returns how many of `count` values are live during the iteration.
    pub fn survivors(self, count: usize) -> usize {
        count / self.one_live_in().unwrap_or(1)
    }

    /// The sizes of values that the operation is measured with. Large values matter where they are
    /// moved, and where iterators skip most of their bytes.
    pub fn sizes(self) -> &'static [Size] {
        match self {
            Discard => &[Size::B64, Size::B640],
            IterateFor | IterateFold | IterateMutable | IterateMutableFold | IterateHandles => {
                &[Size::B4, Size::B8, Size::B24, Size::B64, Size::B256]
            }
            _ => &[Size::B4, Size::B8, Size::B24, Size::B64],
        }
    }

    /// Returns `false` if fewer than ten values would be live: this would time the call and not the
    /// iteration.
    pub fn fits(self, count: usize) -> bool {
        self.survivors(count) >= 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_iterations_need_ten_survivors() {
        assert!(IterateHundredth.fits(1_000));
        assert!(!IterateTenThousandth.fits(10_000));
        assert!(IterateTenThousandth.fits(1_000_000));
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
