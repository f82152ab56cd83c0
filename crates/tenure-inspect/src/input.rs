//! The bytes of a file, or of standard input.

use std::fs::File;
use std::io::{self, Read};

use crate::args::InspectArgs;
use crate::error::InspectError;
use crate::progress::{Progress, SMALL};

/// The number of bytes between two updates of the bar.
const PIECE: u64 = 1 << 20;

/// Reads everything, up to the maximum size.
pub(crate) fn read(args: &InspectArgs) -> Result<Vec<u8>, InspectError> {
    let bytes = if args.is_standard_input() { read_all(args, io::stdin().lock(), 0)? } else { read_file(args)? };
    if bytes.is_empty() { Err(InspectError::Empty(args.file.clone())) } else { Ok(bytes) }
}

fn read_file(args: &InspectArgs) -> Result<Vec<u8>, InspectError> {
    let unreadable = |why| InspectError::Unreadable(args.file.clone(), why);
    let file = File::open(&args.file).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(InspectError::Directory(args.file.clone()));
    }
    read_all(args, file, metadata.len())
}

/// A file may grow, and a device has no size: the limit applies to the bytes that are read.
fn read_all(args: &InspectArgs, mut from: impl Read, expected: u64) -> Result<Vec<u8>, InspectError> {
    let most = args.max_size.saturating_mul(1_000_000);
    let too_large = || InspectError::TooLarge(args.file.clone(), args.max_size);
    if expected > most {
        return Err(too_large());
    }
    let mut progress = Progress::new(expected);
    progress.begin("reading the file");
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    loop {
        let before = bytes.len() as u64;
        let piece = (&mut from).take(PIECE).read_to_end(&mut bytes);
        piece.map_err(|why| InspectError::Unreadable(args.file.clone(), why))?;
        let after = bytes.len() as u64;
        if after > most {
            return Err(too_large());
        }
        if after == before {
            return Ok(bytes);
        }
        // Standard input has no size: the number of bytes is shown when there are many.
        if expected == 0 && before <= SMALL && SMALL < after {
            progress = Progress::without_end();
            progress.begin("reading standard input");
        }
        progress.at(after);
        progress.tick();
    }
}
