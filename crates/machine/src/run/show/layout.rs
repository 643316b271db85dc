//! Where every variable of a machine lies in its state vectors, as a table.

use std::fmt;

use promela::model::Type;

use super::Show;
use crate::layout::{Area, Layout};

/// The layout of a machine's states.
#[derive(Clone, Copy, Debug)]
pub struct LayoutView<'s, 'm> {
    show: &'s Show<'m>,
}

impl Show<'_> {
    /// The layout as a table: offset, size, type and name of everything a state holds.
    #[must_use]
    pub fn layout(&self) -> LayoutView<'_, '_> {
        LayoutView { show: self }
    }
}

impl fmt::Display for LayoutView<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = self.show.machine;
        let layout = &machine.layout;
        writeln!(f, "globals: {} bytes", layout.globals.size)?;
        row(f, 0, 1, "", "number of processes")?;
        if let Some(offset) = layout.last_offset {
            row(f, offset, 1, "pid", "_last")?;
        }
        self.area(f, layout, &layout.globals, 0)?;
        for (index, (definition, area)) in machine.definitions.iter().zip(&layout.frames).enumerate() {
            writeln!(f, "{}: {} bytes for each process", definition.automaton.name, area.size)?;
            row(f, 0, layout.definition_width, "", "definition")?;
            row(f, layout.definition_width, layout.location_width, "", "location")?;
            if let Some(offset) = layout.priority_offset {
                row(f, offset, 1, "byte", "_priority")?;
            }
            self.area(f, layout, area, index + 1)?;
        }
        Ok(())
    }
}

impl LayoutView<'_, '_> {
    fn area(&self, f: &mut fmt::Formatter<'_>, layout: &Layout, area: &Area, number: usize) -> fmt::Result {
        let mut rows = Vec::new();
        for (cells, repetition) in area.cells.iter().zip(&self.show.names[number].repetitions) {
            let path: Vec<String> = cells.path.iter().map(part_name).collect();
            let repeated = if *repetition > 1 { format!("#{repetition}") } else { String::new() };
            let hidden = if cells.hidden { " (hidden: outside the vector)" } else { "" };
            let name = format!("{}{repeated}{hidden}", path.join("."));
            rows.push((cells.offset, cells.count * cells.scalar.width(), self.type_name(cells.ty), name));
        }
        for channel in &area.channels {
            let shape = layout.shape(channel.shape);
            let fields: Vec<String> = shape.fields.iter().map(|&ty| self.type_name(ty)).collect();
            let ty = format!("[{}] of {{{}}}", shape.capacity, fields.join(","));
            let name = area.cells(channel.cells).element_name(channel.element);
            rows.push((channel.offset, shape.size(), ty, format!("messages of {name}")));
        }
        rows.sort_by_key(|&(offset, ..)| offset);
        rows.into_iter().try_for_each(|(offset, size, ty, name)| row(f, offset, size, &ty, &name))
    }

    fn type_name(&self, ty: Type) -> String {
        let machine = self.show.machine;
        match ty {
            Type::Bit => "bit".to_string(),
            Type::Bool => "bool".to_string(),
            Type::Byte => "byte".to_string(),
            Type::Pid => "pid".to_string(),
            Type::Short => "short".to_string(),
            Type::Int => "int".to_string(),
            Type::Unsigned(bits) => format!("unsigned:{bits}"),
            Type::Mtype(set) => match machine.mtypes.get(set.index()).and_then(|set| set.name.as_ref()) {
                Some(name) => format!("mtype:{name}"),
                None => "mtype".to_string(),
            },
            Type::Chan => "chan".to_string(),
            Type::Ref(process) => format!("ref {}", machine.definitions[process.index()].automaton.name),
            Type::Structure(_) => "structure".to_string(),
        }
    }
}

fn part_name(part: &crate::layout::PathPart) -> String {
    match part.length {
        Some(length) => format!("{}[{length}]", part.name),
        None => part.name.to_string(),
    }
}

fn row(f: &mut fmt::Formatter<'_>, offset: u32, size: u32, ty: &str, name: &str) -> fmt::Result {
    writeln!(f, "  {offset:>5} {size:>4}  {ty:<10} {name}")
}
