//! Times many small steps one by one, without the time in which other programs had the processor.

use std::time::{Duration, Instant};

/// During a step of at least this length, another program may have had the processor.
const SUSPICIOUS: Duration = Duration::from_micros(5);
/// The two clocks are compared at least once in this number of steps, so that they do not drift
/// apart.
const STEPS: u32 = 1_024;

/// A stopwatch that stops while other programs have the processor.
///
/// Reading the CPU time of a thread takes longer than a step, so it is read after long steps only.
/// Steps follow each other without a gap: the difference between the two clocks since the last
/// reading was lost in the long step.
pub struct Laps {
    last: Instant,
    /// The last reading of both clocks.
    read: (Instant, Duration),
    steps: u32,
}

impl Laps {
    pub fn start() -> Self {
        let read = read_clocks();
        Laps { last: read.0, read, steps: 0 }
    }

    /// Ends a step and returns its time.
    #[inline]
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        self.steps += 1;
        if took >= SUSPICIOUS || self.steps == STEPS { self.correct(took) } else { took }
    }

    #[cold]
    fn correct(&mut self, took: Duration) -> Duration {
        let (now, cpu_time) = read_clocks();
        let passed = self.last - self.read.0;
        let lost = passed.saturating_sub(cpu_time - self.read.1);
        *self = Laps { last: now, read: (now, cpu_time), steps: 0 };
        took.saturating_sub(lost)
    }
}

/// Returns the time, and the CPU time of the thread.
fn read_clocks() -> (Instant, Duration) {
    let cpu_time = cpu_time();
    (Instant::now(), cpu_time)
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Where the CPU time is not known, this is the elapsed time: nothing is subtracted.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn sleep_does_not_count_and_work_does() {
        let mut laps = Laps::start();
        std::thread::sleep(Duration::from_millis(20));
        assert!(laps.lap() < Duration::from_millis(10));
        let (start, mut work) = (cpu_time(), 0_u64);
        while cpu_time() - start < Duration::from_millis(5) {
            work += 1;
        }
        assert!(laps.lap() > Duration::from_millis(4), "{work}");
    }
}
