//! Variables become cells: structures flattened, offsets given, channels placed.

use promela::model::{Initial, Kind, Model, Place as ModelPlace, StructureId, Type, Variable, Visibility};
use promela::source::Span;
use rustc_hash::FxHashMap;

use super::{Hidden, Memory};
use crate::id::{CellsId, ChannelShapeId};
use crate::layout::{Area, Cells, ChannelShape, OwnedChannel, PathPart};
use crate::scalar::Scalar;

/// The leaves of one variable: which group of cells holds which field.
///
/// A scalar variable has one leaf with an empty field path; a structure has one for each scalar field below it.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    by_path: FxHashMap<Vec<u32>, CellsId>,
    order: Vec<CellsId>,
}

impl Leaves {
    /// The cells reached by a path of field numbers.
    pub fn at(&self, path: &[u32]) -> CellsId {
        self.by_path[path]
    }

    /// All cells of the variable in order of declaration.
    pub fn all(&self) -> &[CellsId] {
        &self.order
    }
}

/// Collects channel shapes so that equal declarations share one.
#[derive(Default)]
pub struct Shapes {
    list: Vec<ChannelShape>,
    ids: FxHashMap<ChannelShape, ChannelShapeId>,
}

impl Shapes {
    fn intern(&mut self, shape: ChannelShape) -> ChannelShapeId {
        if let Some(&id) = self.ids.get(&shape) {
            return id;
        }
        let id = ChannelShapeId(self.list.len() as u32);
        self.list.push(shape.clone());
        self.ids.insert(shape, id);
        id
    }

    /// All shapes.
    pub fn into_list(self) -> Vec<ChannelShape> {
        self.list
    }
}

/// What lies in an area.
pub struct Contents<'a> {
    /// Its variables.
    pub variables: &'a [Variable],
    /// Memory of embedded C, which comes behind the variables.
    pub memory: Vec<Memory>,
    /// A variable for the location of the `trace`, of which there are so many.
    pub trace: Option<(usize, Span)>,
    /// Bytes before the first cell.
    pub header: u32,
}

/// Lays out an area.
pub fn lay_out(model: &Model, contents: Contents<'_>, hidden: Hidden, shapes: &mut Shapes) -> (Area, Vec<Leaves>) {
    let mut area = Area::default();
    let mut leaves = Vec::with_capacity(contents.variables.len());
    for variable in contents.variables {
        let mut builder = Flattener { model, hidden, area: &mut area, shapes, leaves: Leaves::default() };
        builder.flatten(variable, variable, &mut Vec::new(), &mut Vec::new());
        leaves.push(builder.leaves);
    }
    if let Some((locations, span)) = contents.trace {
        let ty = if locations <= 256 { Type::Byte } else { Type::Unsigned(16) };
        area.cells.push(Cells {
            path: vec![PathPart { name: ":trace:".into(), length: None }],
            ty,
            scalar: Scalar::of(ty).expect("it is a number"),
            count: 1,
            offset: 0,
            hidden: false,
            unmatched: false,
            external: None,
            kind: Kind::Number,
            span,
        });
    }
    for memory in contents.memory {
        area.cells.push(Cells {
            path: vec![PathPart { name: memory.name, length: Some(memory.bytes) }],
            ty: Type::Byte,
            scalar: Scalar::Byte,
            count: memory.bytes,
            offset: 0,
            hidden: memory.unmatched && hidden == Hidden::Outside,
            unmatched: memory.unmatched,
            external: None,
            kind: Kind::Number,
            span: memory.span,
        });
    }
    area.place(contents.header, &shapes.list);
    (area, leaves)
}

struct Flattener<'a> {
    model: &'a Model,
    hidden: Hidden,
    area: &'a mut Area,
    shapes: &'a mut Shapes,
    leaves: Leaves,
}

impl Flattener<'_> {
    fn flatten(&mut self, root: &Variable, variable: &Variable, path: &mut Vec<PathPart>, fields: &mut Vec<u32>) {
        path.push(PathPart { name: variable.name.clone(), length: variable.length });
        if let Type::Structure(StructureId(structure)) = variable.ty {
            let model = self.model;
            for (number, field) in model.structures[structure as usize].fields.iter().enumerate() {
                fields.push(number as u32);
                self.flatten(root, field, path, fields);
                fields.pop();
            }
        } else {
            self.leaf(root, variable, path, fields);
        }
        path.pop();
    }

    fn leaf(&mut self, root: &Variable, variable: &Variable, path: &[PathPart], fields: &[u32]) {
        let scalar = Scalar::of(variable.ty).expect("structures were flattened above");
        let count = path.iter().map(|part| part.length.unwrap_or(1)).product();
        let id = CellsId(self.area.cells.len() as u32);
        let is_hidden = root.visibility == Some(Visibility::Hidden);
        self.area.cells.push(Cells {
            path: path.to_vec(),
            ty: variable.ty,
            scalar,
            count,
            offset: 0,
            hidden: is_hidden && self.hidden == Hidden::Outside,
            unmatched: is_hidden,
            external: root.external.clone(),
            kind: variable.kind,
            span: variable.span,
        });
        if let Initial::Channel(spec) = &variable.initial {
            let shape = self.shapes.intern(ChannelShape { capacity: spec.capacity, fields: spec.fields.clone() });
            for element in 0..count {
                self.area.channels.push(OwnedChannel { shape, offset: 0, cells: id, element });
            }
        }
        self.leaves.by_path.insert(fields.to_vec(), id);
        self.leaves.order.push(id);
    }
}

/// The path of field numbers of a place.
pub fn field_path(place: &ModelPlace) -> Vec<u32> {
    place.fields.iter().map(|step| step.field).collect()
}

/// Which variables of an area anything stores into.
///
/// A channel variable that nothing stores into always holds the channel it was declared with. Assignments and receives store;
/// where embedded C is present, everything counts as stored into.
#[derive(Default)]
pub struct Changing {
    changed: Vec<bool>,
}

impl Changing {
    /// For `count` variables, none of which changes unless embedded C may do it.
    pub fn new(count: usize, embedded_c: bool) -> Changing {
        Changing { changed: vec![embedded_c; count] }
    }

    /// A store into a variable was seen.
    pub fn mark(&mut self, variable: usize) {
        self.changed[variable] = true;
    }

    /// Whether nothing stores into a variable.
    pub fn is_fixed(&self, variable: usize) -> bool {
        !self.changed[variable]
    }
}
