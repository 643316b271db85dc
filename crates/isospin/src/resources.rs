//! What the running program uses.

/// The most memory it had so far, in bytes; 0 where the system does not tell.
pub fn peak_memory() -> u64 {
    status("VmHWM:")
}

/// The memory it has now, in bytes; 0 where the system does not tell.
pub fn memory() -> u64 {
    status("VmRSS:")
}

fn status(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0);
    kilobytes << 10
}
