//! Minimum degree on the quotient graph: the graph alone, no points.
//!
//! ```text
//! L_p  = (A_p + union of L_e over e in E_p) - p                                (1)
//! d_i <= |A_i - L_p| + |L_p - i| + sum over e in E_i of |L_e - L_p|           (2)
//! ```
//!
//! An eliminated vertex p becomes an element with the variables L_p; a variable i keeps its neighbours A_i
//! and its elements E_i. (2) bounds the degree from above. Variables with equal A and E are merged, elements
//! inside L_p are absorbed, variables with no more than L_p are eliminated at once.
//! Method: approximate minimum degree as Amestoy, Davis and Duff describe it; written anew.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Permutation};

/// Orders a graph by (approximate) minimum degree; of equal ones the first.
pub fn minimum_degree(graph: &Graph) -> Permutation {
    let mut quotient = Quotient::new(graph);
    let mut order = Vec::with_capacity(graph.vertex_count());
    while let Some((_, pivot)) = quotient.queue.pop_first() {
        quotient.eliminate(pivot, &mut order);
    }
    Permutation::of_order(order)
}

#[derive(Default)]
struct Variable {
    neighbors: Vec<u32>,
    elements: Vec<u32>,
    /// The vertices it stands for; empty once it is gone.
    vertices: Vec<u32>,
    degree: usize,
}

#[derive(Default)]
struct Element {
    variables: Vec<u32>,
    /// Vertices its variables stand for.
    weight: usize,
    absorbed: bool,
}

struct Quotient {
    variables: Vec<Variable>,
    elements: Vec<Element>,
    /// Variables by degree.
    queue: BTreeSet<(usize, u32)>,
    /// Vertices not yet eliminated.
    left: usize,
    /// Of variables: the last pivot in whose L_p they were.
    seen: Vec<u32>,
    /// Of elements: the last pivot, and |L_e - L_p|.
    outside: Vec<(u32, usize)>,
}

impl Quotient {
    fn new(graph: &Graph) -> Self {
        let count = graph.vertex_count();
        let variable = |v: u32| Variable {
            neighbors: graph.neighbors(v).to_vec(),
            elements: Vec::new(),
            vertices: vec![v],
            degree: graph.neighbors(v).len(),
        };
        let variables: Vec<Variable> = (0..count as u32).map(variable).collect();
        let queue = (0..count as u32).map(|v| (variables[v as usize].degree, v)).collect();
        let elements = (0..count).map(|_| Element::default()).collect();
        let (seen, outside) = (vec![u32::MAX; count], vec![(u32::MAX, 0); count]);
        Self { variables, elements, queue, left: count, seen, outside }
    }

    fn weight(&self, variable: u32) -> usize {
        self.variables[variable as usize].vertices.len()
    }

    fn eliminate(&mut self, pivot: u32, order: &mut Vec<u32>) {
        let gone = std::mem::take(&mut self.variables[pivot as usize]);
        self.left -= gone.vertices.len();
        order.extend_from_slice(&gone.vertices);
        let mut front = self.front(pivot, gone);
        let mut weight: usize = front.iter().map(|&i| self.weight(i)).sum();
        self.measure_outside(pivot, &front);
        // no more than the front: nothing new would be filled by taking them now
        front.retain(|&i| {
            self.prune(pivot, i);
            let variable = &self.variables[i as usize];
            let inside = variable.neighbors.is_empty() && variable.elements.len() == 1;
            if inside {
                let variable = std::mem::take(&mut self.variables[i as usize]);
                self.queue.remove(&(variable.degree, i));
                weight -= variable.vertices.len();
                self.left -= variable.vertices.len();
                order.extend(variable.vertices);
            }
            !inside
        });
        for &i in &front {
            self.update_degree(pivot, i, weight);
        }
        self.merge_equal(&mut front);
        for &i in &front {
            self.queue.insert((self.variables[i as usize].degree, i));
        }
        self.elements[pivot as usize] = Element { variables: front, weight, absorbed: false };
    }

    /// L_p, (1); the elements of p are absorbed.
    fn front(&mut self, pivot: u32, gone: Variable) -> Vec<u32> {
        self.seen[pivot as usize] = pivot;
        let mut front = Vec::new();
        let mut lists = vec![gone.neighbors];
        for element in gone.elements {
            let element = &mut self.elements[element as usize];
            element.absorbed = true;
            lists.push(std::mem::take(&mut element.variables));
        }
        for variable in lists.into_iter().flatten() {
            let fresh = self.seen[variable as usize] != pivot;
            if fresh && !self.variables[variable as usize].vertices.is_empty() {
                self.seen[variable as usize] = pivot;
                front.push(variable);
            }
        }
        front
    }

    /// |L_e - L_p| for every element that touches the front.
    fn measure_outside(&mut self, pivot: u32, front: &[u32]) {
        for &i in front {
            let variable = &self.variables[i as usize];
            for &e in &variable.elements {
                let (stamp, size) = self.outside[e as usize];
                let size = if stamp == pivot { size } else { self.elements[e as usize].weight };
                self.outside[e as usize] = (pivot, size - variable.vertices.len());
            }
        }
    }

    /// Drops what the front makes superfluous, and adds the new element.
    fn prune(&mut self, pivot: u32, i: u32) {
        let mut variable = std::mem::take(&mut self.variables[i as usize]);
        variable
            .neighbors
            .retain(|&j| self.seen[j as usize] != pivot && !self.variables[j as usize].vertices.is_empty());
        variable.elements.retain(|&e| {
            let element = &mut self.elements[e as usize];
            // an element inside the front says nothing new
            element.absorbed |= self.outside[e as usize] == (pivot, 0);
            !element.absorbed
        });
        variable.elements.push(pivot);
        self.variables[i as usize] = variable;
    }

    /// (2), and never more than what is left or than the front could have added.
    fn update_degree(&mut self, pivot: u32, i: u32, front_weight: usize) {
        let own = self.weight(i);
        let variable = &self.variables[i as usize];
        let near: usize = variable.neighbors.iter().map(|&j| self.weight(j)).sum();
        let far = variable.elements.iter().filter(|&&e| e != pivot).map(|&e| self.outside[e as usize].1);
        let others = front_weight - own;
        let degree = (near + others + far.sum::<usize>()).min(variable.degree + others).min(self.left - own);
        self.queue.remove(&(variable.degree, i));
        self.variables[i as usize].degree = degree;
    }

    /// Variables of the front with equal neighbours and elements become one.
    fn merge_equal(&mut self, front: &mut Vec<u32>) {
        let mut groups: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for &i in front.iter() {
            let variable = &mut self.variables[i as usize];
            variable.neighbors.sort_unstable();
            variable.elements.sort_unstable();
            let all = variable.neighbors.iter().chain(&variable.elements);
            groups.entry(all.map(|&x| u64::from(x)).sum()).or_default().push(i);
        }
        for group in groups.into_values() {
            let mut kept: Vec<u32> = Vec::new();
            for i in group {
                let equal = |&&k: &&u32| {
                    let (a, b) = (&self.variables[k as usize], &self.variables[i as usize]);
                    a.neighbors == b.neighbors && a.elements == b.elements
                };
                if let Some(&k) = kept.iter().find(equal) {
                    let twin = std::mem::take(&mut self.variables[i as usize]);
                    let variable = &mut self.variables[k as usize];
                    variable.degree -= twin.vertices.len().min(variable.degree);
                    variable.vertices.extend(twin.vertices);
                } else {
                    kept.push(i);
                }
            }
        }
        front.retain(|&i| !self.variables[i as usize].vertices.is_empty());
    }
}
