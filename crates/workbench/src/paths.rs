//! Paths that can be compared.

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`, so that two ways to write it are equal.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
