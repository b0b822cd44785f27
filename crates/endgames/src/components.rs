//! Strongly connected components of a graph in which every node has two successors (Tarjan's algorithm without recursion).

/// A node, or a successor that lies outside the graph.
pub(super) type Node = u32;

/// The mark of a successor outside the graph.
pub(super) const OUTSIDE: Node = Node::MAX;

const UNSEEN: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// Calls `component` with the nodes of each component, each after all components that it leads to.
pub(super) fn components(successors: &[[Node; 2]], mut component: impl FnMut(&[Node])) {
    let mut depth = vec![UNSEEN; successors.len()];
    let mut lowest = vec![0u32; successors.len()];
    let mut stack: Vec<Node> = Vec::new();
    let mut path: Vec<(Node, usize)> = Vec::new();
    let mut count = 0;
    for root in 0..successors.len() as Node {
        if depth[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.pop() {
            let at = node as usize;
            if next == 0 {
                depth[at] = count;
                lowest[at] = count;
                count += 1;
                stack.push(node);
            } else {
                let child = successors[at][next - 1];
                if child != OUTSIDE && depth[child as usize] != DONE {
                    lowest[at] = lowest[at].min(lowest[child as usize]);
                }
            }
            if let Some(child) = successors[at].get(next) {
                path.push((node, next + 1));
                if *child != OUTSIDE && depth[*child as usize] == UNSEEN {
                    path.push((*child, 0));
                }
                continue;
            }
            if lowest[at] == depth[at] {
                let start = stack.iter().rposition(|other| *other == node).unwrap_or_default();
                for other in &stack[start..] {
                    depth[*other as usize] = DONE;
                }
                component(&stack[start..]);
                stack.truncate(start);
            }
        }
    }
}
