//! How much memory this program can still get: what the machine has free, within the limits it was given.

use std::fs;
use std::path::Path;

/// Bytes that can be had; none where the system does not tell.
pub fn available() -> Option<u64> {
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let (meminfo, status, limits) =
        (text("/proc/meminfo"), text("/proc/self/status"), text("/proc/self/limits"));
    let known = [
        kilobytes(&meminfo, "MemAvailable:"),
        address_space(&limits, kilobytes(&status, "VmSize:").unwrap_or(0)),
        in_group(&text("/proc/self/cgroup"), Path::new("/sys/fs/cgroup")),
    ];
    known.into_iter().flatten().min()
}

/// A line `NAME   123 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// What `ulimit -v` leaves beside what is used already.
fn address_space(limits: &str, used: u64) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let soft: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(soft.saturating_sub(used))
}

/// What the control groups of this process leave, the innermost and those around it, of either version.
fn in_group(membership: &str, root: &Path) -> Option<u64> {
    let mut known = Vec::new();
    for line in membership.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(kinds), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let (folder, names) = match kinds {
            "" => (root.to_owned(), ["memory.max", "memory.current", "memory.stat"]),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                (root.join("memory"), ["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"])
            }
            _ => continue,
        };
        let inner = path.trim_start_matches('/');
        // inside a container the path may be that of the outside: then the root is the group
        for group in Path::new(inner).ancestors().chain([Path::new("")]) {
            known.extend(left_in(&folder.join(group), names));
        }
    }
    known.into_iter().min()
}

/// Limit minus use of one group; pages of files that can go are not in use.
fn left_in(group: &Path, [limit, used, stat]: [&str; 3]) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let stat = fs::read_to_string(group.join(stat)).unwrap_or_default();
    let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
    let cached = cached.and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(0);
    Some(limit.saturating_sub(number(used)?.saturating_sub(cached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_the_kernel_writes_them() {
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(kilobytes(meminfo, "MemAvailable:"), Some(20_480_000_000));
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max address space         3000000000           unlimited            bytes     \n";
        assert_eq!(address_space(limits, 1_000_000_000), Some(2_000_000_000));
        assert_eq!(address_space(&limits.replace("3000000000", "unlimited"), 0), None);
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let (outer, inner) = (root.path().join("a"), root.path().join("a/b"));
        fs::create_dir_all(&inner).unwrap();
        let write = |group: &Path, name: &str, text: &str| fs::write(group.join(name), text).unwrap();
        write(&outer, "memory.max", "5000\n");
        write(&outer, "memory.current", "3000\n");
        write(&outer, "memory.stat", "anon 1\ninactive_file 500\n");
        write(&inner, "memory.max", "max\n");
        write(&inner, "memory.current", "100\n");
        assert_eq!(in_group("0::/a/b\n", root.path()), Some(2500));
        assert_eq!(in_group("0::/\n", root.path()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_tells() {
        let bytes = available().unwrap();
        assert!(bytes > 1 << 20, "{bytes}");
    }
}
