//! What a renderer does: lights are inserted and removed, and in every frame all of them are
//! uploaded to the GPU as one slice.
//!
//! ```text
//! cargo run --release -p tenure --example upload
//! ```

use tenure::{DensePool, Handle};

/// The layout that a shader reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Light {
    position: [f32; 3],
    brightness: f32,
}

/// Stands for a buffer on the GPU.
#[derive(Default)]
struct GpuBuffer {
    lights: Vec<Light>,
    uploads: usize,
}

impl GpuBuffer {
    /// Copies one slice: there are no holes to skip, and nothing to gather.
    fn upload(&mut self, lights: &[Light]) {
        self.lights.clear();
        self.lights.extend_from_slice(lights);
        self.uploads += 1;
    }
}

/// Eight torches, half of which are removed.
pub(crate) fn main() {
    let mut lights = DensePool::with_capacity(64);
    let mut buffer = GpuBuffer::default();
    let torches: Vec<Handle<Light>> = (0..8_u8)
        .map(|torch| lights.insert(Light { position: [f32::from(torch), 0.0, 0.0], brightness: 1.0 }))
        .collect();

    for (frame, torch) in torches.iter().enumerate() {
        for light in lights.as_mut_slice() {
            light.brightness *= 0.9; // all of them flicker: a loop over a slice
        }
        if frame % 2 == 1 {
            lights.remove(*torch); // the last light fills its row
        }
        buffer.upload(lights.as_slice());
        assert_eq!(buffer.lights.len(), lights.len());
    }

    // A draw call refers to a light by its row, which is looked up when it is needed.
    for &torch in &torches {
        match lights.row_of(torch) {
            Some(row) => {
                assert_eq!(buffer.lights[row], lights[torch]);
                println!("{torch} burns at row {row}: {:?}", buffer.lights[row]);
            }
            None => println!("{torch} is out"),
        }
    }
    println!("{} uploads, the last one of {} lights", buffer.uploads, buffer.lights.len());
}
