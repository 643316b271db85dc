//! Layered drawing of directed graphs (Sugiyama, Tagawa, Toda 1981), simple and fixed in its choices.
//!
//! Edges that close a cycle are turned round; nodes get the layer of their longest path; edges across layers are cut by waypoints;
//! sweeps by the middle of the neighbours order each layer; a few more sweeps move nodes under each other. Nothing is random.

/// A node's size, label included.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A drawing: the middle of each node, the way of each edge.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The middle of each node.
    pub nodes: Vec<(f64, f64)>,
    /// For each edge, the points between its ends, from its start to its end.
    pub edges: Vec<Vec<(f64, f64)>>,
    /// The size of it all.
    pub size: Size,
}

/// Room between nodes of a layer, and between layers.
const GAP: (f64, f64) = (22.0, 26.0);
/// How often layers are ordered and shifted.
const SWEEPS: usize = 12;

/// Draws a graph; node 0 comes on top.
pub fn draw(sizes: &[Size], edges: &[(usize, usize)]) -> Drawing {
    let classes: Vec<usize> = (0..sizes.len()).collect();
    draw_side_by_side(sizes, edges, &classes)
}

/// Draws a graph so that nodes of one class lie side by side, in one layer.
pub fn draw_side_by_side(sizes: &[Size], edges: &[(usize, usize)], classes: &[usize]) -> Drawing {
    let layer_of = layers_of_classes(edges, classes);
    let turned: Vec<bool> = edges.iter().map(|&(from, to)| layer_of[from] > layer_of[to]).collect();
    let forward: Vec<(usize, usize)> =
        edges.iter().zip(&turned).map(|(&(from, to), &turned)| if turned { (to, from) } else { (from, to) }).collect();
    let mut net = Net::new(sizes, &forward, &layer_of);
    net.order();
    let x = net.spread();
    let y = net.heights();
    let width = (0..net.sizes.len()).map(|node| x[node] + net.sizes[node].width / 2.0).fold(0.0, f64::max);
    let height = y.last().map_or(0.0, |last| last.0 + last.1 / 2.0);
    let place = |node: usize| (x[node], y[net.layer[node]].0);
    let ways = net.chains.iter().zip(&turned).map(|(chain, &turned)| {
        let mut points: Vec<(f64, f64)> = chain.iter().map(|&node| place(node)).collect();
        if turned {
            points.reverse();
        }
        points
    });
    Drawing { edges: ways.collect(), nodes: (0..sizes.len()).map(place).collect(), size: Size { width, height } }
}

/// The layer of each node: that of its class in the graph of classes, once no edge leads back.
fn layers_of_classes(edges: &[(usize, usize)], classes: &[usize]) -> Vec<usize> {
    let count = classes.iter().max().map_or(0, |last| last + 1);
    let mut between: Vec<(usize, usize)> = Vec::new();
    for &(from, to) in edges {
        let edge = (classes[from], classes[to]);
        if edge.0 != edge.1 && !between.contains(&edge) {
            between.push(edge);
        }
    }
    let turned = turn_cycles(count, &between);
    let forward: Vec<(usize, usize)> = between
        .iter()
        .zip(&turned)
        .map(|(&(from, to), &turned)| if turned { (to, from) } else { (from, to) })
        .collect();
    let layers = layers(count, &forward);
    classes.iter().map(|&class| layers[class]).collect()
}

/// Which edges lead back to a node on the way to them.
fn turn_cycles(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut out = vec![Vec::new(); count];
    for (index, &(from, _)) in edges.iter().enumerate() {
        out[from].push(index);
    }
    let mut mark = vec![Mark::New; count];
    let mut turned = vec![false; edges.len()];
    for root in 0..count {
        if mark[root] != Mark::New {
            continue;
        }
        mark[root] = Mark::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                mark[*node] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edges[edge].1;
            match mark[target] {
                Mark::New => {
                    mark[target] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => turned[edge] = true,
                Mark::Done => {}
            }
        }
    }
    turned
}

/// The longest path to each node.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut incoming = vec![0; count];
    edges.iter().filter(|(from, to)| from != to).for_each(|&(_, to)| incoming[to] += 1);
    let mut ready: Vec<usize> = (0..count).filter(|&node| incoming[node] == 0).collect();
    let mut layer = vec![0; count];
    while let Some(node) = ready.pop() {
        for &(_, to) in edges.iter().filter(|&&(from, to)| from == node && from != to) {
            layer[to] = layer[to].max(layer[node] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

/// Nodes and waypoints in their layers.
struct Net {
    sizes: Vec<Size>,
    layer: Vec<usize>,
    rows: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The waypoints of each edge, from top to bottom.
    chains: Vec<Vec<usize>>,
}

impl Net {
    fn new(sizes: &[Size], edges: &[(usize, usize)], layer_of: &[usize]) -> Net {
        let count = sizes.len();
        let mut net = Net {
            sizes: sizes.to_vec(),
            layer: layer_of.to_vec(),
            rows: vec![Vec::new(); layer_of.iter().max().map_or(1, |last| last + 1)],
            above: vec![Vec::new(); count],
            below: vec![Vec::new(); count],
            chains: Vec::new(),
        };
        for &(from, to) in edges {
            let mut chain = Vec::new();
            let mut previous = from;
            for layer in layer_of[from] + 1..layer_of[to] {
                let waypoint = net.sizes.len();
                net.sizes.push(Size { width: 4.0, height: 0.0 });
                net.layer.push(layer);
                net.above.push(Vec::new());
                net.below.push(Vec::new());
                net.join(previous, waypoint);
                chain.push(waypoint);
                previous = waypoint;
            }
            if layer_of[from] != layer_of[to] {
                net.join(previous, to);
            }
            net.chains.push(chain);
        }
        // Depth first from the top, so that what belongs together starts side by side.
        let mut seen = vec![false; net.sizes.len()];
        for root in 0..net.sizes.len() {
            let mut pending = vec![root];
            while let Some(node) = pending.pop() {
                if !std::mem::replace(&mut seen[node], true) {
                    let layer = net.layer[node];
                    net.rows[layer].push(node);
                    pending.extend(net.below[node].iter().rev());
                }
            }
        }
        net
    }

    fn join(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Orders each layer by the middle of its neighbours, downwards and upwards in turn.
    fn order(&mut self) {
        let mut position = vec![0.0; self.sizes.len()];
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 0..count {
                let row = if down { step } else { count - 1 - step };
                let neighbours = if down { &self.above } else { &self.below };
                for (index, &node) in self.rows[row].iter().enumerate() {
                    position[node] = index as f64;
                }
                let key = |&node: &usize| {
                    let mut places: Vec<f64> = neighbours[node].iter().map(|&other| position[other]).collect();
                    middle(&mut places).unwrap_or(position[node])
                };
                let mut keyed: Vec<(f64, usize)> = self.rows[row].iter().map(|node| (key(node), *node)).collect();
                keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
                self.rows[row] = keyed.into_iter().map(|(_, node)| node).collect();
                for (index, &node) in self.rows[row].iter().enumerate() {
                    position[node] = index as f64;
                }
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
    }

    fn crossings(&self) -> usize {
        let mut position = vec![0; self.sizes.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(index, &node)| position[node] = index);
        }
        let mut count = 0;
        for row in &self.rows {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for &node in row {
                ends.extend(self.below[node].iter().map(|&other| (position[node], position[other])));
            }
            for (index, first) in ends.iter().enumerate() {
                count += ends[index + 1..].iter().filter(|second| first.0 < second.0 && first.1 > second.1).count();
            }
        }
        count
    }

    /// Horizontal places: as near to the middle of the neighbours as the order and the gaps allow.
    fn spread(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.sizes.len()];
        for row in &self.rows {
            let mut at = 0.0;
            for &node in row {
                x[node] = at + self.sizes[node].width / 2.0;
                at += self.sizes[node].width + GAP.0;
            }
        }
        for sweep in 0..2 * SWEEPS {
            let rows: Vec<&Vec<usize>> =
                if sweep % 2 == 0 { self.rows.iter().collect() } else { self.rows.iter().rev().collect() };
            for row in rows {
                let wish = |node: usize| {
                    let neighbours = if sweep % 2 == 0 { &self.above[node] } else { &self.below[node] };
                    let mut places: Vec<f64> = neighbours.iter().map(|&other| x[other]).collect();
                    middle(&mut places).unwrap_or(x[node])
                };
                let wishes: Vec<f64> = row.iter().map(|&node| wish(node)).collect();
                for (&node, place) in row.iter().zip(self.fit(row, &wishes)) {
                    x[node] = place;
                }
            }
        }
        let left = (0..x.len()).map(|node| x[node] - self.sizes[node].width / 2.0).fold(f64::INFINITY, f64::min);
        x.iter_mut().for_each(|place| *place -= left);
        x
    }

    /// The places nearest to the wishes, in the sense of least squares, that keep order and gaps: neighbours that would
    /// collide become one block that takes the mean of their wishes.
    fn fit(&self, row: &[usize], wishes: &[f64]) -> Vec<f64> {
        // Offsets make all gaps zero; then the places must only not decrease.
        let mut offsets = Vec::with_capacity(row.len());
        let mut offset = 0.0;
        for (index, &node) in row.iter().enumerate() {
            if index > 0 {
                offset += (self.sizes[row[index - 1]].width + self.sizes[node].width) / 2.0 + GAP.0;
            }
            offsets.push(offset);
        }
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (wish, offset) in wishes.iter().zip(&offsets) {
            let mut block = (wish - offset, 1);
            while let Some(&(sum, count)) = blocks.last()
                && sum / count as f64 > block.0 / block.1 as f64
            {
                blocks.pop();
                block = (block.0 + sum, block.1 + count);
            }
            blocks.push(block);
        }
        let means = blocks.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count));
        means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
    }

    /// The middle and height of every layer.
    fn heights(&self) -> Vec<(f64, f64)> {
        let mut top = 0.0;
        let mut heights = Vec::new();
        for row in &self.rows {
            let height = row.iter().map(|&node| self.sizes[node].height).fold(0.0, f64::max);
            heights.push((top + height / 2.0, height));
            top += height + GAP.1;
        }
        heights
    }
}

fn middle(places: &mut [f64]) -> Option<f64> {
    places.sort_by(f64::total_cmp);
    let half = places.len() / 2;
    match places.len() {
        0 => None,
        length if length % 2 == 1 => Some(places[half]),
        _ => Some((places[half - 1] + places[half]) / 2.0),
    }
}
