//! A number with its noun.

/// `1 node`, `2 nodes`: the count and the words that fit it.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn only_one_is_one() {
        assert_eq!(counted(1, "node is", "nodes are"), "1 node is");
        assert_eq!(counted(0, "shell", "shells"), "0 shells");
        assert_eq!(counted(12, "shell", "shells"), "12 shells");
    }
}
