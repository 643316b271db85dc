//! The nodes of the inference: one for each variable's values, and one for each array's indices.
//!
//! The table also keeps what is needed of declarations to find a place's node, so that a model's code can be changed while
//! it is asked.

use crate::model::{Array, Base, LocalId, Model, Owner, Place, ProcessId, StructureId, Type, Variable};

/// A node: the values of a variable or field, or the indices of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Node(pub(super) u32);

/// Where the nodes of each variable lie: values at `first + 2 * number`, indices right behind.
#[derive(Debug)]
pub(super) struct Nodes {
    structures: Vec<u32>,
    processes: Vec<u32>,
    claims: Vec<u32>,
    trace: u32,
    /// Type and length of every variable and field, in the order of nodes.
    declared: Vec<(Type, Option<u32>)>,
    fields: Vec<u32>,
    parameters: Vec<usize>,
}

impl Nodes {
    /// The process identifiers.
    pub(super) const PID: Node = Node(0);
    const GLOBALS: u32 = 1;

    pub(super) fn new(model: &Model) -> Nodes {
        let mut declared = Vec::new();
        let mut reserve = |variables: &[Variable]| {
            let first = Nodes::GLOBALS + 2 * declared.len() as u32;
            declared.extend(variables.iter().map(|variable| (variable.ty, variable.length)));
            first
        };
        reserve(&model.globals);
        let structures = model.structures.iter().map(|structure| reserve(&structure.fields)).collect();
        let processes = model.processes.iter().map(|process| reserve(&process.locals)).collect();
        let claims = model.claims.iter().map(|claim| reserve(&claim.locals)).collect();
        let trace = reserve(model.trace.as_ref().map_or(&[], |trace| &trace.process.locals));
        Nodes {
            structures,
            processes,
            claims,
            trace,
            declared,
            fields: model.structures.iter().map(|structure| structure.fields.len() as u32).collect(),
            parameters: model.processes.iter().map(|process| process.parameters).collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        1 + 2 * self.declared.len()
    }

    /// The values of an array's elements, or of a scalar.
    pub(super) fn value(&self, array: Array) -> Node {
        match array {
            Array::Global(id) => Node(Nodes::GLOBALS + 2 * id.0),
            Array::Local(owner, id) => Node(self.locals(owner) + 2 * id.0),
            Array::Field(structure, field) => Node(self.structures[structure.index()] + 2 * field),
        }
    }

    /// The indices of an array.
    pub(super) fn index(&self, array: Array) -> Node {
        Node(self.value(array).0 + 1)
    }

    fn locals(&self, owner: Owner) -> u32 {
        match owner {
            Owner::Process(id) => self.processes[id.index()],
            Owner::Claim(number) => self.claims[number as usize],
            Owner::Trace => self.trace,
        }
    }

    fn declared(&self, array: Array) -> (Type, Option<u32>) {
        self.declared[((self.value(array).0 - Nodes::GLOBALS) / 2) as usize]
    }

    /// How long an array is.
    pub(super) fn length(&self, array: Array) -> Option<u32> {
        self.declared(array).1
    }

    /// The node of what a place reaches.
    pub(super) fn place(&self, place: &Place, owner: Owner) -> Option<Node> {
        self.steps(place, owner).last().map(|array| self.value(array))
    }

    /// The variable and the fields that a place passes.
    pub(super) fn steps(&self, place: &Place, owner: Owner) -> impl Iterator<Item = Array> {
        let base = base_array(place.base, owner);
        let fields = place.fields.iter().scan(base, |at, step| {
            let Type::Structure(structure) = self.declared(*at).0 else { return None };
            *at = Array::Field(structure, step.field);
            Some(*at)
        });
        std::iter::once(base).chain(fields)
    }

    /// The nodes of the scalars that a process takes as arguments, structures flattened.
    pub(super) fn parameters(&self, process: ProcessId) -> Vec<Node> {
        let mut nodes = Vec::new();
        for number in 0..self.parameters[process.index()] {
            self.leaves(Array::Local(Owner::Process(process), LocalId(number as u32)), &mut nodes);
        }
        nodes
    }

    fn leaves(&self, array: Array, nodes: &mut Vec<Node>) {
        let (ty, length) = self.declared(array);
        for _ in 0..length.unwrap_or(1) {
            match ty {
                Type::Structure(id) => self.leaves_of_structure(id, nodes),
                _ => nodes.push(self.value(array)),
            }
        }
    }

    fn leaves_of_structure(&self, id: StructureId, nodes: &mut Vec<Node>) {
        for field in 0..self.fields[id.index()] {
            self.leaves(Array::Field(id, field), nodes);
        }
    }
}

/// The variable of a base.
pub(super) fn base_array(base: Base, owner: Owner) -> Array {
    match base {
        Base::Global(id) => Array::Global(id),
        Base::Local(id) => Array::Local(owner, id),
        Base::Public(process, id) => Array::Local(Owner::Process(process), id),
    }
}
