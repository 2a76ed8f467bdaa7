//! Parser of the key `PMI_process_mapping`: which rank runs on which node.
//!
//! The value is `(vector,BLOCK,...)`. A block is `(first,nodes,procs)`, that many ranks on each
//! of that many nodes counted from `first`; or `n`, one rank on node `n`; or `[BLOCK,...]xR`, the
//! list R times over. When ranks are left after the last block, the vector starts again.

/// The node of each of `size` ranks; `None` when the text is no mapping.
///
/// A text from the launcher can name astronomic numbers: the work is bounded by `size`.
pub(super) fn parse(text: &str, size: u32) -> Option<Vec<u32>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let blocks = inner.trim_start().strip_prefix("vector")?.trim_start();
    let mut reader = Reader {
        rest: blocks.strip_prefix(',')?,
        depth: 0,
    };
    let vector = reader.list()?;
    if !reader.rest.trim().is_empty() {
        return None;
    }
    let mut nodes = Vec::new();
    while nodes.len() < size as usize {
        let before = nodes.len();
        deal(&vector, size as usize, &mut nodes);
        if nodes.len() == before {
            return None;
        }
    }
    Some(nodes)
}

enum Block {
    Grid { first: u32, nodes: u32, procs: u32 },
    Repeat { list: Vec<Block>, times: u32 },
}

/// Deals ranks to blocks until there are `size`.
fn deal(list: &[Block], size: usize, nodes: &mut Vec<u32>) {
    for block in list {
        match block {
            Block::Grid {
                first,
                nodes: count,
                procs,
            } => {
                for node in 0..*count {
                    for _ in 0..*procs {
                        if nodes.len() == size {
                            return;
                        }
                        nodes.push(first.saturating_add(node));
                    }
                    if *procs == 0 {
                        break;
                    }
                }
            }
            Block::Repeat { list, times } => {
                for _ in 0..*times {
                    let before = nodes.len();
                    deal(list, size, nodes);
                    if nodes.len() == size || nodes.len() == before {
                        break;
                    }
                }
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn list(&mut self) -> Option<Vec<Block>> {
        let mut list = vec![self.block()?];
        while self.eat(',') {
            list.push(self.block()?);
        }
        Some(list)
    }

    fn block(&mut self) -> Option<Block> {
        if self.eat('(') {
            let first = self.number()?;
            let nodes = self.eat(',').then(|| self.number())??;
            let procs = self.eat(',').then(|| self.number())??;
            return self.eat(')').then_some(Block::Grid {
                first,
                nodes,
                procs,
            });
        }
        if self.eat('[') {
            // Nesting is a recursion here: a hostile text must not exhaust the stack.
            self.depth += 1;
            if self.depth > 16 {
                return None;
            }
            let list = self.list()?;
            self.depth -= 1;
            if !self.eat(']') || !self.eat('x') {
                return None;
            }
            return Some(Block::Repeat {
                list,
                times: self.number()?,
            });
        }
        Some(Block::Grid {
            first: self.number()?,
            nodes: 1,
            procs: 1,
        })
    }

    fn number(&mut self) -> Option<u32> {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    fn eat(&mut self, wanted: char) -> bool {
        match self.rest.trim_start().strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn mappings_seen_from_launchers() {
        for (text, nodes) in [
            ("(vector,(0,1,4))", vec![0, 0, 0, 0]),
            ("(vector,(0,3,1))", vec![0, 1, 2, 0, 1, 2, 0]),
            ("(vector,[(0,3,1)]x2,0)", vec![0, 1, 2, 0, 1, 2, 0]),
            ("(vector,0)", vec![0]),
            ("(vector,(0,1,3),1)", vec![0, 0, 0, 1]),
            ("(vector,[0,(1,1,2)]x2)", vec![0, 1, 1, 0, 1, 1]),
            ("(vector, (0, 2, 2))", vec![0, 0, 1, 1]),
            ("(vector,[[0]x2,1]x2)", vec![0, 0, 1, 0, 0, 1]),
        ] {
            assert_eq!(
                parse(text, nodes.len() as u32).as_ref(),
                Some(&nodes),
                "{text}"
            );
        }
    }

    #[test]
    fn nonsense_and_astronomic_numbers_end_at_once() {
        for text in [
            "",
            "(vector)",
            "(vector,)",
            "(scalar,0)",
            "(vector,(0,1))",
            "(vector,(0,1,1)",
            "(vector,[0]2)",
            "(vector,(0,0,4))",
            "(vector,(0,4294967295,0))",
            "(vector,[(0,0,0)]x4294967295)",
            "(vector,0)junk",
            "(vector,99999999999)",
        ] {
            assert_eq!(parse(text, 4), None, "{text}");
        }
        assert_eq!(parse(&format!("(vector,{}0", "[".repeat(100_000)), 4), None);
        assert_eq!(
            parse("(vector,(0,4294967295,4294967295))", 2),
            Some(vec![0, 0])
        );
        assert_eq!(
            parse("(vector,(4294967295,3,1))", 2),
            Some(vec![u32::MAX, u32::MAX])
        );
    }

    proptest::proptest! {
        /// Any text of the mapping's own characters ends soon, with a node for each rank or none.
        #[test]
        fn any_text_ends(text in r"\(vector,[0-9,()\[\]x ]{0,40}\)", size in 1u32..50) {
            if let Some(nodes) = parse(&text, size) {
                proptest::prop_assert_eq!(nodes.len(), size as usize);
            }
        }
    }
}
