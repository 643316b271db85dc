//! Classes of values: places whose values may be copied into or compared with each other.
//!
//! A class is *nominal* when the values that can ever occur in it are a known finite set, and everything the program does
//! with them is copying, comparing for equality, indexing, or a function given by a finite table. Then they are names, and a
//! symmetry may rename them. The values of every other class are plain numbers.

use std::collections::BTreeSet;
use std::fmt;

use machine::scalar::Scalar;
use promela::source::Span;

/// More values than this are taken for plain numbers.
const MOST_VALUES: usize = 512;

/// A class, or a class that was united with others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::detect) struct ClassId(u32);

/// Why the values of a class are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberReason {
    /// They are the result of counting, or of something else that is not followed.
    Computed,
    /// There are too many of them.
    TooMany,
    /// They are cut off when they are stored.
    Truncated,
    /// Messages are sorted by them.
    Sorted,
    /// They lie in a `hidden` variable.
    Hidden,
}

impl fmt::Display for NumberReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberReason::Computed => "this computes with them",
            NumberReason::TooMany => "too many values are possible",
            NumberReason::Truncated => "a value computed for them does not fit where it is stored",
            NumberReason::Sorted => "messages are sorted by them",
            NumberReason::Hidden => "they are kept in a hidden variable",
        })
    }
}

/// What is known of a class.
#[derive(Clone, Debug, Default)]
pub(in crate::detect) struct Class {
    /// The values that can occur.
    pub values: BTreeSet<i32>,
    /// Why they are plain numbers, and the statement that makes them so.
    pub number: Option<(NumberReason, Span)>,
    /// Whether they are used as conditions.
    pub is_condition: bool,
    /// Whether they are used to name processes.
    pub names_processes: bool,
    /// Whether they are used to name channels.
    pub names_channels: bool,
    scalars: Vec<Scalar>,
    /// How many classes were united to this one.
    members: u32,
}

impl Class {
    /// Why the values are no names, if there are too many or some do not fit where they are stored.
    fn unfit_for_names(&self) -> Option<NumberReason> {
        let fits = |&value: &i32| self.scalars.iter().all(|scalar| scalar.truncate(value) == value);
        if self.values.len() > MOST_VALUES {
            Some(NumberReason::TooMany)
        } else {
            (!self.values.iter().all(fits)).then_some(NumberReason::Truncated)
        }
    }
}

/// All classes, as a union-find structure.
#[derive(Default)]
pub(in crate::detect) struct Classes {
    parents: Vec<u32>,
    list: Vec<Class>,
    /// Counts changes, to find out when there are none any more.
    pub changes: u64,
}

impl Classes {
    pub fn fresh(&mut self) -> ClassId {
        self.parents.push(self.parents.len() as u32);
        self.list.push(Class::default());
        ClassId(self.parents.len() as u32 - 1)
    }

    /// The class that a class has become part of.
    pub fn root(&self, id: ClassId) -> ClassId {
        let mut id = id.0;
        while self.parents[id as usize] != id {
            id = self.parents[id as usize];
        }
        ClassId(id)
    }

    pub fn get(&self, id: ClassId) -> &Class {
        &self.list[self.root(id).0 as usize]
    }

    pub fn get_mut(&mut self, id: ClassId) -> &mut Class {
        let root = self.root(id);
        &mut self.list[root.0 as usize]
    }

    pub fn unite(&mut self, left: ClassId, right: ClassId) {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return;
        }
        self.changes += 1;
        // Balanced by the number of members, so that roots are near; the smaller set of values is moved.
        let larger_first = self.list[left.0 as usize].members >= self.list[right.0 as usize].members;
        let (keep, drop) = if larger_first { (left, right) } else { (right, left) };
        self.parents[drop.0 as usize] = keep.0;
        let mut dropped = std::mem::take(&mut self.list[drop.0 as usize]);
        let kept = &mut self.list[keep.0 as usize];
        if kept.values.len() < dropped.values.len() {
            std::mem::swap(&mut kept.values, &mut dropped.values);
        }
        kept.members += dropped.members + 1;
        kept.values.extend(dropped.values);
        kept.number = kept.number.or(dropped.number);
        kept.is_condition |= dropped.is_condition;
        kept.names_processes |= dropped.names_processes;
        kept.names_channels |= dropped.names_channels;
        for scalar in dropped.scalars {
            if !kept.scalars.contains(&scalar) {
                kept.scalars.push(scalar);
            }
        }
    }

    /// A value can occur in a class.
    pub fn flow(&mut self, id: ClassId, value: i32) {
        self.flow_all(id, [value]);
    }

    /// Values can occur in a class.
    pub fn flow_all(&mut self, id: ClassId, values: impl IntoIterator<Item = i32>) {
        let class = self.get_mut(id);
        if class.number.is_none() {
            let count = class.values.len();
            class.values.extend(values);
            let added = class.values.len() - count;
            self.changes += added as u64;
        }
    }

    /// The same; returns those values that are new, unless they show that the values of the class are no names.
    pub fn flow_new(&mut self, id: ClassId, values: impl IntoIterator<Item = i32>) -> Vec<i32> {
        let class = self.get(id);
        let fits = |value: i32| class.scalars.iter().all(|scalar| scalar.truncate(value) == value);
        let mut new: Vec<i32> = values.into_iter().filter(|value| !class.values.contains(value)).collect();
        new.sort_unstable();
        new.dedup();
        let may_be_names =
            class.number.is_none() && class.values.len() <= MOST_VALUES && new.iter().all(|&value| fits(value));
        self.flow_all(id, new.iter().copied());
        if may_be_names { new } else { Vec::new() }
    }

    /// Values of a class are stored in places of this type.
    pub fn store_as(&mut self, id: ClassId, scalar: Scalar) {
        let class = self.get_mut(id);
        if !class.scalars.contains(&scalar) {
            class.scalars.push(scalar);
        }
    }

    /// The values of a class are plain numbers.
    pub fn make_number(&mut self, id: ClassId, reason: NumberReason, span: Span) {
        let class = self.get_mut(id);
        if class.number.is_none() {
            class.number = Some((reason, span));
            self.changes += 1;
        }
    }

    /// Classes with too many values, or values that do not fit where they are stored, have plain numbers.
    pub fn check_values(&mut self) {
        for index in 0..self.list.len() as u32 {
            let class = &self.list[index as usize];
            if self.parents[index as usize] != index || class.number.is_some() {
                continue;
            }
            if let Some(reason) = class.unfit_for_names() {
                self.make_number(ClassId(index), reason, Span::NOWHERE);
            }
        }
    }

    /// The values of a class, if they are names.
    pub fn names(&self, id: ClassId) -> Option<&BTreeSet<i32>> {
        let class = self.get(id);
        class.number.is_none().then_some(&class.values)
    }

    /// All classes, each once.
    pub fn roots(&self) -> impl Iterator<Item = ClassId> {
        (0..self.parents.len() as u32).filter(|&id| self.parents[id as usize] == id).map(ClassId)
    }
}

#[cfg(test)]
mod tests {
    use machine::scalar::Scalar;
    use promela::source::Span;

    use super::{Classes, NumberReason};

    #[test]
    fn united_classes_share_values_and_fate() {
        let mut classes = Classes::default();
        let (a, b, c) = (classes.fresh(), classes.fresh(), classes.fresh());
        classes.flow(a, 1);
        classes.flow(b, 2);
        classes.unite(a, b);
        assert_eq!(classes.names(b).unwrap().len(), 2);
        classes.make_number(c, NumberReason::Computed, Span::NOWHERE);
        classes.unite(c, a);
        assert!(classes.names(b).is_none());
    }

    #[test]
    fn values_that_are_cut_off_are_numbers() {
        let mut classes = Classes::default();
        let class = classes.fresh();
        classes.store_as(class, Scalar::Byte);
        classes.flow(class, 255);
        classes.check_values();
        assert!(classes.names(class).is_some());
        classes.flow(class, 256);
        classes.check_values();
        assert!(classes.names(class).is_none());
    }
}
