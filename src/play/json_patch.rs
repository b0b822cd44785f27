//! Changes between two JSON views of a game as a JSON Patch (RFC 6902), which clients can apply with any library.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Operations of a JSON Patch, in order.
type Patch = Vec<Value>;

/// A computed patch, kept because many listeners usually have the same earlier view.
pub struct CachedPatch {
    since: Arc<str>,
    /// JSON of the new version and the operations.
    pub patch: Arc<str>,
}

impl CachedPatch {
    /// Computes the patch between two JSON texts; none if one of them is not JSON.
    pub fn new(since: Arc<str>, now: &str) -> Option<CachedPatch> {
        let (old, new): (Value, Value) = (serde_json::from_str(&since).ok()?, serde_json::from_str(now).ok()?);
        let patch = json!({"version": new["version"], "changes": patch(&old, &new)}).to_string().into();
        Some(CachedPatch { since, patch })
    }

    /// The patch, if it starts from this view.
    pub fn for_reader_of(&self, since: &Arc<str>) -> Option<Arc<str>> {
        Arc::ptr_eq(&self.since, since).then(|| self.patch.clone())
    }
}

/// Operations that turn `old` into `new`.
fn patch(old: &Value, new: &Value) -> Patch {
    let mut all = Patch::new();
    changes("", old, new, &mut all);
    all
}

/// Appends the operations for the value at a path. Replaces the whole value if that is shorter.
fn changes(at: &str, old: &Value, new: &Value, all: &mut Patch) {
    if old == new {
        return;
    }
    let mut parts = Patch::new();
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => members(at, old, new, &mut parts),
        (Value::Array(old), Value::Array(new)) => elements(at, old, new, &mut parts),
        (_, _) => {}
    }
    let whole = json!({"op": "replace", "path": at, "value": new});
    let length = |parts: &[Value]| parts.iter().map(|part| part.to_string().len() + 1).sum::<usize>();
    if parts.is_empty() || length(&parts) > length(std::slice::from_ref(&whole)) {
        all.push(whole);
    } else {
        all.append(&mut parts);
    }
}

fn members(at: &str, old: &Map<String, Value>, new: &Map<String, Value>, parts: &mut Patch) {
    let place = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        parts.push(json!({"op": "remove", "path": place(name)}));
    }
    for (name, value) in new {
        match old.get(name) {
            Some(before) => changes(&place(name), before, value, parts),
            None => parts.push(json!({"op": "add", "path": place(name), "value": value})),
        }
    }
}

/// Works from front to back, so that every index refers to the list as changed so far.
fn elements(at: &str, old: &[Value], new: &[Value], parts: &mut Patch) {
    let place = |index: usize| format!("{at}/{index}");
    let remove = |index, times, parts: &mut Patch| {
        parts.extend((0..times).map(|_| json!({"op": "remove", "path": place(index)})));
    };
    let add = |index, times, parts: &mut Patch| {
        parts.extend(
            (index..index + times).map(|index| json!({"op": "add", "path": place(index), "value": new[index]})),
        );
    };
    for run in capture_diff_slices(Algorithm::Myers, old, new) {
        match run {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_len, new_index, .. } => remove(new_index, old_len, parts),
            DiffOp::Insert { new_index, new_len, .. } => add(new_index, new_len, parts),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let both = old_len.min(new_len);
                for step in 0..both {
                    changes(&place(new_index + step), &old[old_index + step], &new[new_index + step], parts);
                }
                remove(new_index + both, old_len - both, parts);
                add(new_index + both, new_len - both, parts);
            }
        }
    }
}
