// SPDX-License-Identifier: Apache-2.0
//! Times chunkers and a digest written in Rust on a file held in memory, on one thread by its CPU time. One line of
//! JSON each:
//!
//!     peers FILE BYTES AVERAGE MIN MAX ROUNDS
//!
//! AVERAGE, MIN and MAX in bytes, AVERAGE a power of two; MIN 0 means no limits: the least and the most that a chunker
//! takes. The digest is of pieces of AVERAGE bytes. Rounds go in turn, so that what else the machine does falls on
//! everybody.
use std::fs::File;
use std::io::Read;

const LEAST_MIN: usize = 64;
const MOST_MAX: usize = 16 << 20;

/// Chunk sizes in bytes.
struct Sizes {
    average: usize,
    min: usize,
    max: usize,
}

/// Cuts the bytes, or digests pieces of them, and returns how many there are.
type Peer = fn(&[u8], &Sizes) -> usize;

const PEERS: [(&str, Peer); 3] = [
    ("rust-fastcdc-v2020", fastcdc),
    ("rust-gearhash", gear),
    ("rust-blake3", blake3),
];

fn fastcdc(data: &[u8], sizes: &Sizes) -> usize {
    fastcdc::v2020::FastCDC::new(data, sizes.min, sizes.average, sizes.max).count()
}

/// Gear hash with the mask's bits at the top, where they depend on the most bytes; the minimum is skipped.
fn gear(data: &[u8], sizes: &Sizes) -> usize {
    let bits = sizes.average.trailing_zeros();
    let mask = ((1u64 << bits) - 1) << (64 - bits);
    let mut chunks = 0;
    let mut begin = 0;
    while begin < data.len() {
        let end = data.len().min(begin + sizes.max);
        let from = end.min(begin + sizes.min);
        let mut hasher = gearhash::Hasher::default();
        begin = match hasher.next_match(&data[from..end], mask) {
            Some(length) => from + length,
            None => end,
        };
        chunks += 1;
    }
    chunks
}

fn blake3(data: &[u8], sizes: &Sizes) -> usize {
    data.chunks(sizes.average)
        .filter(|piece| std::hint::black_box(blake3::hash(piece)).as_bytes().len() == 32)
        .count()
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const CLOCK_THREAD_CPUTIME_ID: i32 = 3;

fn thread_cpu_seconds() -> f64 {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: `time` is a struct timespec of 64-bit Linux.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

fn read(path: &str, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut data)?;
    Ok(data)
}

fn number(word: &str) -> Result<usize, String> {
    word.parse()
        .map_err(|_| format!("'{}' is not a number of bytes", word))
}

fn run(words: &[String]) -> Result<(), String> {
    if words.len() != 6 {
        return Err("usage: peers FILE BYTES AVERAGE MIN MAX ROUNDS".to_string());
    }
    let data =
        read(&words[0], number(&words[1])? as u64).map_err(|e| format!("{}: {}", words[0], e))?;
    let unlimited = number(&words[3])? == 0;
    let sizes = Sizes {
        average: number(&words[2])?,
        min: if unlimited {
            LEAST_MIN
        } else {
            number(&words[3])?
        },
        max: if unlimited {
            MOST_MAX
        } else {
            number(&words[4])?
        },
    };
    let mut seconds = vec![Vec::new(); PEERS.len()];
    let mut chunks = vec![0; PEERS.len()];
    for _ in 0..number(&words[5])? {
        for (i, (_, peer)) in PEERS.iter().enumerate() {
            let begin = thread_cpu_seconds();
            chunks[i] = peer(&data, &sizes);
            seconds[i].push(thread_cpu_seconds() - begin);
        }
    }
    for (i, (name, _)) in PEERS.iter().enumerate() {
        println!(
            "{{\"name\":\"{}\",\"bytes\":{},\"average\":{},\"chunks\":{},\"roundSeconds\":{:?}}}",
            name,
            data.len(),
            sizes.average,
            chunks[i],
            seconds[i]
        );
    }
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Err(problem) = run(&words) {
        eprintln!("peers: {}", problem);
        std::process::exit(2);
    }
}
