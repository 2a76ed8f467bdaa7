//! Finds the circles in the graph of a crate's files.
//!
//! A circle is a set of files each of which uses every other, by way of others of the set. It is
//! refused, since none of its files can be understood alone. `cargo xtask tidy --graph CRATE` draws
//! the graph.

use std::collections::{BTreeMap, BTreeSet};

use super::draw;
use super::finding::{whole, Finding};
use super::tree::Tree;
use super::uses::Uses;
use crate::fsio;

/// Refuses the circles of all crates.
pub fn check(trees: &[Tree], found: &mut Vec<Finding>) {
    for tree in trees {
        let faults = faults(&Uses::of(tree)).into_iter();
        found.extend(faults.map(|what| whole(tree.folder.clone(), &what)));
    }
}

/// Draws the crate `name`, or all, below `target/graph`.
pub fn draw(trees: &[Tree], name: &str) -> Result<(), String> {
    let folder = fsio::target_dir().join("graph");
    let is_it = |tree: &&Tree| name == "all" || tree.folder.ends_with(name);
    let chosen: Vec<&Tree> = trees.iter().filter(is_it).collect();
    if chosen.is_empty() {
        return Err(format!("no crate `{name}`; `all` draws all"));
    }
    println!("crate        files levels  uses back up  circles");
    for tree in chosen {
        let uses = Uses::of(tree);
        let name = tree
            .folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let file = folder.join(format!("{name}.svg"));
        fsio::write(&file, &draw::svg(&name, &uses, &uses.circles()))?;
        let circles: Vec<String> = named(&uses).iter().map(|files| files.join(" ")).collect();
        let levels = uses.levels();
        let top = levels.iter().max().map_or(0, |top| top + 1);
        let is_back = |(from, to): &&(usize, usize)| levels[*from] <= levels[*to];
        let back = uses.edges.keys().filter(is_back).count();
        println!(
            "{name:<12} {:>5} {top:>6} {:>5} {back:>7}  {}",
            uses.files.len(),
            uses.edges.len(),
            circles.join("; ")
        );
    }
    println!("drawn below {}", folder.display());
    Ok(())
}

impl Uses {
    /// Files that each file reaches, by whatever way.
    fn reached(&self) -> Vec<Vec<bool>> {
        let count = self.files.len();
        let mut reached = vec![vec![false; count]; count];
        for (from, to) in self.edges.keys() {
            reached[*from][*to] = true;
        }
        for between in 0..count {
            let beyond = reached[between].clone();
            for row in reached.iter_mut().filter(|row| row[between]) {
                row.iter_mut()
                    .zip(&beyond)
                    .for_each(|(to, also)| *to |= also);
            }
        }
        reached
    }

    /// Sets of files that reach each other.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let reached = self.reached();
        let of = |at: usize| -> Vec<usize> {
            let files = 0..self.files.len();
            files
                .filter(|other| reached[at][*other] && reached[*other][at])
                .collect()
        };
        let circles = (0..self.files.len()).map(of).enumerate();
        let first = circles.filter(|(at, circle)| circle.len() > 1 && circle[0] == *at);
        first.map(|(_, circle)| circle).collect()
    }

    /// The level of each file: above all that it uses, and 0 where that is nothing. Uses that close
    /// a circle do not count; few are chosen for that.
    pub fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.files.len()];
        let order = self.order();
        for (place, from) in order.iter().enumerate().rev() {
            let below = &order[place + 1..];
            let used = below
                .iter()
                .filter(|to| self.edges.contains_key(&(*from, **to)));
            levels[*from] = used.map(|to| levels[*to] + 1).max().unwrap_or(0);
        }
        levels
    }

    /// The files in an order in which most uses lead forward: in turn those that nobody uses go to
    /// the front, those that use nobody to the back, and of a circle the one that uses the most
    /// others and is used by the fewest (P. Eades, X. Lin, W. F. Smyth, 1993).
    fn order(&self) -> Vec<usize> {
        let mut left: BTreeSet<usize> = (0..self.files.len()).collect();
        let (mut front, mut back) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let open = self
                .edges
                .keys()
                .filter(|(from, to)| left.contains(from) && left.contains(to));
            let mut counts: BTreeMap<usize, (i32, i32)> =
                left.iter().map(|at| (*at, (0, 0))).collect();
            for (from, to) in open {
                counts.entry(*from).or_default().0 += 1;
                counts.entry(*to).or_default().1 += 1;
            }
            let find = |is_it: fn(&(i32, i32)) -> bool| {
                counts
                    .iter()
                    .find(|(_, count)| is_it(count))
                    .map(|(at, _)| *at)
            };
            let most = counts.iter().min_by_key(|(_, count)| count.1 - count.0);
            let next = match (find(|count| count.0 == 0), find(|count| count.1 == 0), most) {
                (Some(unusing), ..) => {
                    back.push(unusing);
                    unusing
                }
                (None, unused, most) => {
                    let Some(next) = unused.or(most.map(|(at, _)| *at)) else {
                        break;
                    };
                    front.push(next);
                    next
                }
            };
            left.remove(&next);
        }
        front.extend(back.into_iter().rev());
        front
    }

    /// A shortest circle through a file, as a line: `a uses b (Item), b uses a (Item)`.
    fn circle_through(&self, start: usize) -> String {
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut next = vec![start];
        while !before.contains_key(&start) && !next.is_empty() {
            let mut further = Vec::new();
            for from in next {
                for (_, to) in self.edges.keys().filter(|edge| edge.0 == from) {
                    if !before.contains_key(to) {
                        before.insert(*to, from);
                        further.push(*to);
                    }
                }
            }
            next = further;
        }
        let mut steps = Vec::new();
        let mut at = start;
        while let Some(from) = before.get(&at).copied() {
            let items: Vec<&str> = self.edges[&(from, at)].iter().map(String::as_str).collect();
            let (user, used) = (&self.files[from], &self.files[at]);
            steps.insert(0, format!("{user} uses {used} ({})", items.join(" ")));
            at = from;
            if at == start {
                break;
            }
        }
        steps.join(", ")
    }
}

/// The circles by the names of their files.
fn named(uses: &Uses) -> Vec<Vec<String>> {
    let names = |circle: Vec<usize>| {
        let mut names: Vec<String> = circle.iter().map(|at| uses.files[*at].clone()).collect();
        names.sort();
        names
    };
    uses.circles().into_iter().map(names).collect()
}

/// Returns a sentence for each circle: its files, and uses that lead from one of them back to it.
fn faults(uses: &Uses) -> Vec<String> {
    let fault = |circle: &Vec<usize>, files: Vec<String>| {
        let steps = uses.circle_through(circle[0]);
        format!("files in a circle: {}: {steps}", files.join(" "))
    };
    let circles = uses.circles();
    let faults = circles.iter().zip(named(uses));
    faults.map(|(circle, files)| fault(circle, files)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::uses::Edges;
    use super::*;

    /// A crate of the files `a` to `f`, of which each pair is a use.
    fn uses(pairs: &[(usize, usize)]) -> Uses {
        let edges = pairs
            .iter()
            .map(|pair| (*pair, [format!("I{}", pair.1)].into()));
        Uses {
            files: ["a", "b", "c", "d", "e", "f"].map(str::to_string).into(),
            edges: edges.collect(),
            calls: Edges::new(),
        }
    }

    #[test]
    fn circles_are_found_and_levels_go_around_them() {
        let uses = uses(&[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (0, 5)]);
        let circles = uses.circles();
        assert_eq!(circles, [vec![1, 2, 3]]);
        assert_eq!(uses.levels(), [4, 3, 2, 1, 0, 0]);
        assert_eq!(
            uses.circle_through(2),
            "c uses d (I3), d uses b (I1), b uses c (I2)"
        );
    }

    #[test]
    fn each_circle_is_a_fault_with_its_uses() {
        assert!(faults(&uses(&[(0, 1), (1, 2)])).is_empty());
        assert_eq!(
            faults(&uses(&[(0, 1), (1, 0), (1, 2), (3, 4), (4, 3)])),
            [
                "files in a circle: a b: a uses b (I1), b uses a (I0)",
                "files in a circle: d e: d uses e (I4), e uses d (I3)",
            ]
        );
    }
}
