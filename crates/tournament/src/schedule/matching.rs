//! Pairing as many as possible: a maximum matching by Edmonds' algorithm of blossoms.

/// For each of `count` vertices its partner, such that as many as possible have one. `may_meet` is
/// symmetric.
pub(super) fn maximum_matching(
    count: usize,
    may_meet: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let neighbours: Vec<Vec<usize>> = (0..count)
        .map(|one| (0..count).filter(|&other| other != one && may_meet(one, other)).collect())
        .collect();
    let mut mates = vec![None; count];
    // Who can be paired at once is; the search is for the few that are left.
    for one in 0..count {
        if mates[one].is_none()
            && let Some(&other) = neighbours[one].iter().find(|&&other| mates[other].is_none())
        {
            (mates[one], mates[other]) = (Some(other), Some(one));
        }
    }
    for root in 0..count {
        if mates[root].is_none() {
            let found = Search::new(&neighbours, &mates, root).find_end();
            if let Some((end, parents)) = found {
                exchange(&mut mates, end, &parents);
            }
        }
    }
    mates
}

/// How many pairs a matching has.
pub(super) fn size(mates: &[Option<usize>]) -> usize {
    mates.iter().flatten().count() / 2
}

/// A search for a path from `root` to another unpaired vertex along which pairs can be exchanged.
struct Search<'a> {
    neighbours: &'a [Vec<usize>],
    mates: &'a [Option<usize>],
    root: usize,
    /// From where a vertex was reached by an edge outside of the matching.
    parents: Vec<Option<usize>>,
    /// The vertex that stands for the whole blossom (a cycle of odd length) that a vertex is in.
    bases: Vec<usize>,
    /// Vertices at an even distance from the root, in the order in which they were found.
    queue: Vec<usize>,
    is_queued: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(neighbours: &'a [Vec<usize>], mates: &'a [Option<usize>], root: usize) -> Search<'a> {
        let count = mates.len();
        let mut search = Search {
            neighbours,
            mates,
            root,
            parents: vec![None; count],
            bases: (0..count).collect(),
            queue: Vec::new(),
            is_queued: vec![false; count],
        };
        search.enqueue(root);
        search
    }

    fn enqueue(&mut self, vertex: usize) {
        if !self.is_queued[vertex] {
            self.is_queued[vertex] = true;
            self.queue.push(vertex);
        }
    }

    /// The unpaired vertex at the end of a path, with the parents along it.
    fn find_end(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        let neighbours = self.neighbours;
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &to in &neighbours[vertex] {
                if self.bases[vertex] == self.bases[to] || self.mates[vertex] == Some(to) {
                    continue;
                }
                let is_even = |mate: usize| self.parents[mate].is_some();
                if to == self.root || self.mates[to].is_some_and(is_even) {
                    self.contract(vertex, to);
                } else if self.parents[to].is_none() {
                    self.parents[to] = Some(vertex);
                    match self.mates[to] {
                        None => return Some((to, self.parents)),
                        Some(mate) => self.enqueue(mate),
                    }
                }
            }
        }
        None
    }

    /// Makes one vertex of the cycle that the edge between two even vertices closes.
    fn contract(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut in_blossom = vec![false; self.mates.len()];
        self.mark_path(one, base, other, &mut in_blossom);
        self.mark_path(other, base, one, &mut in_blossom);
        for vertex in 0..self.mates.len() {
            if in_blossom[self.bases[vertex]] {
                self.bases[vertex] = base;
                self.enqueue(vertex);
            }
        }
    }

    /// The first base that both ways back to the root share.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut on_path = vec![false; self.mates.len()];
        let mut vertex = Some(one);
        while let Some(at) = vertex {
            let base = self.bases[at];
            on_path[base] = true;
            vertex = self.step_back(base);
        }
        let mut base = self.bases[other];
        while !on_path[base] {
            let back = self.step_back(base).expect("the way back ends at the root");
            base = self.bases[back];
        }
        base
    }

    /// Two steps towards the root: over the pair, then to where its other half was reached from.
    fn step_back(&self, base: usize) -> Option<usize> {
        if base == self.root {
            return None;
        }
        self.mates[base].and_then(|mate| self.parents[mate])
    }

    fn mark_path(&mut self, from: usize, base: usize, child: usize, in_blossom: &mut [bool]) {
        let (mut vertex, mut child) = (from, child);
        while self.bases[vertex] != base {
            let mate = self.mates[vertex].expect("inside of a blossom everybody is paired");
            in_blossom[self.bases[vertex]] = true;
            in_blossom[self.bases[mate]] = true;
            self.parents[vertex] = Some(child);
            child = mate;
            vertex = self.parents[mate].expect("the way back ends at the base");
        }
    }
}

/// Exchanges the pairs along a path that ends here, so that there is one pair more.
fn exchange(mates: &mut [Option<usize>], end: usize, parents: &[Option<usize>]) {
    let mut vertex = Some(end);
    while let Some(at) = vertex {
        let parent = parents[at].expect("every second step of a path leads to a parent");
        vertex = mates[parent];
        (mates[at], mates[parent]) = (Some(parent), Some(at));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Tries everything: the first of the rest is left alone or paired with each of the others.
    fn size_by_trying(rest: &[usize], may_meet: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&one, others)) = rest.split_first() else { return 0 };
        let mut best = size_by_trying(others, may_meet);
        for (index, &other) in others.iter().enumerate() {
            if may_meet(one, other) {
                let mut left = others.to_vec();
                left.remove(index);
                best = best.max(1 + size_by_trying(&left, may_meet));
            }
        }
        best
    }

    fn check(count: usize, edges: &[(usize, usize)], expected: usize) {
        let may_meet = |a, b| edges.contains(&(a, b)) || edges.contains(&(b, a));
        assert_eq!(size(&maximum_matching(count, may_meet)), expected, "{edges:?}");
    }

    #[test]
    fn cycles_of_odd_length_are_no_trap() {
        check(0, &[], 0);
        check(3, &[(0, 1), (1, 2), (2, 0)], 1);
        // A triangle on a stem with a tail: the pairs that come to mind first are in the way.
        check(6, &[(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (3, 5)], 3);
        check(8, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (3, 6), (4, 7)], 3);
    }

    proptest! {
        #[test]
        fn nobody_finds_more_pairs_by_trying(
            count in 1..9_usize,
            edges in prop::collection::vec(any::<bool>(), 81),
        ) {
            let may_meet = |a: usize, b: usize| edges[a.min(b) * 9 + a.max(b)];
            let mates = maximum_matching(count, may_meet);
            for (one, mate) in mates.iter().enumerate() {
                if let Some(other) = *mate {
                    prop_assert!(one != other && may_meet(one, other));
                    prop_assert_eq!(mates[other], Some(one));
                }
            }
            let all: Vec<usize> = (0..count).collect();
            prop_assert_eq!(size(&mates), size_by_trying(&all, &may_meet));
        }
    }
}
