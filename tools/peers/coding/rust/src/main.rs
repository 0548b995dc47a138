// SPDX-License-Identifier: Apache-2.0
//! Takes requests for coders written in Rust, on one thread. The requests and their answers are those of
//! shredder-native/native/measure/coding_requests.h. Neither coder has the matrix of ISA-L: rust-simd codes by
//! transforms over GF(2^16), shards of an even number of bytes, and copies its input as its interface wants it;
//! rust-erasure has a Vandermonde matrix.
use std::alloc::{Layout, alloc, dealloc};
use std::io::{BufRead, Write};

const PAGE_BYTES: usize = 4096;
const LINE_BYTES: usize = 64;
const STAGGER_BYTES: usize = 2112;
const JAVA_BYTES: usize = 16;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

const CLOCK_THREAD_CPUTIME_ID: i32 = 3;

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

fn thread_cpu_seconds() -> f64 {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: `time` is a struct timespec of 64-bit Linux.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

/// Memory at a page's begin, all written once.
struct Memory {
    begin: *mut u8,
    layout: Layout,
}

impl Memory {
    fn new(bytes: usize) -> Memory {
        let layout = Layout::from_size_align(bytes, PAGE_BYTES).expect("a size that exists");
        // SAFETY: the layout has bytes, and all of them are written before they are read.
        unsafe {
            let begin = alloc(layout);
            assert!(!begin.is_null(), "no memory");
            for i in 0..bytes {
                begin.add(i).write(i as u8);
            }
            Memory { begin, layout }
        }
    }

    /// Slices at these places, which may not overlap.
    fn slices(&mut self, places: &[usize], bytes: usize) -> Vec<&mut [u8]> {
        // SAFETY: callers give places that are inside and at least `bytes` apart.
        places
            .iter()
            .map(|at| unsafe { std::slice::from_raw_parts_mut(self.begin.add(*at), bytes) })
            .collect()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.begin, self.layout) };
    }
}

enum Coder {
    Simd(reed_solomon_simd::ReedSolomonEncoder),
    Erasure(reed_solomon_erasure::galois_8::ReedSolomon),
}

impl Coder {
    fn new(name: &str, data: usize, parity: usize, bytes: usize) -> Result<Coder, String> {
        match name {
            "rust-simd" => reed_solomon_simd::ReedSolomonEncoder::new(data, parity, bytes)
                .map(Coder::Simd)
                .map_err(|e| e.to_string()),
            "rust-erasure" => reed_solomon_erasure::galois_8::ReedSolomon::new(data, parity)
                .map(Coder::Erasure)
                .map_err(|e| e.to_string()),
            _ => Err(format!("no coder '{}'", name)),
        }
    }

    fn encode(&mut self, data: &[&mut [u8]], parity: &mut [&mut [u8]]) -> Result<(), String> {
        match self {
            Coder::Simd(coder) => {
                for shard in data {
                    coder.add_original_shard(shard).map_err(|e| e.to_string())?;
                }
                let result = coder.encode().map_err(|e| e.to_string())?;
                for (to, from) in parity.iter_mut().zip(result.recovery_iter()) {
                    to.copy_from_slice(from);
                }
                Ok(())
            }
            Coder::Erasure(coder) => coder.encode_sep(data, parity).map_err(|e| e.to_string()),
        }
    }
}

fn number(words: &[&str], at: usize) -> Result<u64, String> {
    let word = words.get(at).ok_or("a number is missing")?;
    word.parse()
        .map_err(|_| format!("'{}' is not a number", word))
}

fn rate(words: &[&str]) -> Result<String, String> {
    let (data, parity) = (number(words, 2)? as usize, number(words, 3)? as usize);
    let (bytes, stripes) = (number(words, 4)? as usize, number(words, 5)? as usize);
    let staggered = match words.get(6) {
        Some(&"staggered") => true,
        Some(&"java") => false,
        _ => return Err("no such place: use staggered or java".to_string()),
    };
    let goal = number(words, 7)? as f64 / 1e3;
    let mut coder = Coder::new(words[1], data, parity, bytes)?;
    let shards = data + parity;
    let stride = (bytes + 2 * PAGE_BYTES) / PAGE_BYTES * PAGE_BYTES;
    let mut memory = Memory::new(shards * stripes * stride);
    let places: Vec<usize> = (0..shards * stripes)
        .map(|i| {
            i * stride
                + if staggered {
                    STAGGER_BYTES * i % PAGE_BYTES
                } else {
                    JAVA_BYTES
                }
        })
        .collect();
    let mut cells = memory.slices(&places, bytes);
    let mut at = 0;
    let mut count = 1;
    // What comes before the last batch warms up.
    loop {
        let begin = thread_cpu_seconds();
        for _ in 0..count {
            let (inputs, outputs) = cells[at * shards..(at + 1) * shards].split_at_mut(data);
            coder.encode(inputs, outputs)?;
            at = (at + 1) % stripes;
        }
        let taken = thread_cpu_seconds() - begin;
        if taken >= goal / 2.0 {
            let gigabytes = (count * data * bytes) as f64 / 1e9;
            return Ok(format!("{:.4}", gigabytes / taken));
        }
        count *= 2;
    }
}

fn digest(words: &[&str]) -> Result<String, String> {
    let (data, parity) = (number(words, 2)? as usize, number(words, 3)? as usize);
    let bytes = number(words, 4)? as usize;
    let (offset, step) = (number(words, 5)? as usize, number(words, 6)? as usize);
    let seed = number(words, 7)?;
    let mut coder = Coder::new(words[1], data, parity, bytes)?;
    let shards = data + parity;
    let stride = (bytes + 2 * LINE_BYTES) / LINE_BYTES * LINE_BYTES;
    let mut memory = Memory::new(shards * stride);
    let places: Vec<usize> = (0..shards)
        .map(|i| i * stride + (offset + step * i) % LINE_BYTES)
        .collect();
    let mut cells = memory.slices(&places, bytes);
    for (i, cell) in cells.iter_mut().take(data).enumerate() {
        let mut state = seed.wrapping_add((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for byte in cell.iter_mut() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *byte = (state >> 56) as u8;
        }
    }
    let (inputs, outputs) = cells.split_at_mut(data);
    coder.encode(inputs, outputs)?;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in outputs.iter().flat_map(|shard| shard.iter()) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    Ok(format!("{:016x}", hash))
}

fn answer(words: &[&str]) -> Result<String, String> {
    match words.first() {
        Some(&"names") => Ok("rust-simd rust-erasure".to_string()),
        Some(&"rate") if words.len() == 8 => rate(words),
        Some(&"digest") if words.len() == 8 => digest(words),
        _ => Err("a request is names, or rate or digest with seven more words".to_string()),
    }
}

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let text = answer(&words).unwrap_or_else(|problem| format!("error: {}", problem));
        println!("{}", text);
        std::io::stdout().flush()?;
    }
    Ok(())
}
