//! Regular nested dissection of a grid of points: the separator is the middle layer across the longest side.
//!
//! Source: George's method as [Zhuang 4.1.1] describes it. Points are numbered i + nx (j + ny k).

use std::cmp::Ordering;

use super::{Permutation, Side};

/// Orders the points of a grid with the given numbers of layers.
pub fn regular(layers: [usize; 3]) -> Permutation {
    let mut order = Vec::with_capacity(layers.iter().product());
    dissect([0; 3], layers, layers, &mut order);
    Permutation::of_order(order)
}

/// The first dissection of [`regular`]: the side of each point.
pub fn regular_sides(layers: [usize; 3]) -> Vec<Side> {
    let Some((axis, middle)) = middle_layer([0; 3], layers) else { return Vec::new() };
    let stride: usize = layers[..axis].iter().product();
    let side = |point: usize| match (point / stride % layers[axis]).cmp(&middle) {
        Ordering::Less => Side::Left,
        Ordering::Equal => Side::Separator,
        Ordering::Greater => Side::Right,
    };
    (0..layers.iter().product()).map(side).collect()
}

/// The longest side of a box of points, and the layer in its middle; none in an empty box.
fn middle_layer(low: [usize; 3], high: [usize; 3]) -> Option<(usize, usize)> {
    let sides: [usize; 3] = std::array::from_fn(|c| high[c] - low[c]);
    let axis = (0..3).rev().max_by_key(|&c| sides[c])?;
    (!sides.contains(&0)).then_some((axis, low[axis] + sides[axis] / 2))
}

fn dissect(low: [usize; 3], high: [usize; 3], layers: [usize; 3], order: &mut Vec<u32>) {
    let Some((axis, middle)) = middle_layer(low, high) else { return };
    if high[axis] - low[axis] <= 2 {
        // nothing left to separate: up to eight points, all coupled
        for k in low[2]..high[2] {
            for j in low[1]..high[1] {
                order.extend((low[0]..high[0]).map(|i| (i + layers[0] * (j + layers[1] * k)) as u32));
            }
        }
        return;
    }
    let (mut before, mut after, mut layer) = (high, low, (low, high));
    before[axis] = middle;
    after[axis] = middle + 1;
    layer.0[axis] = middle;
    layer.1[axis] = middle + 1;
    dissect(low, before, layers, order);
    dissect(after, high, layers, order);
    dissect(layer.0, layer.1, layers, order);
}
