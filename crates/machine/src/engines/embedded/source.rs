//! The C text for a model: its own C as it stands, and around it what carries variables between vectors and the structures
//! that the C knows.
//!
//! | in the text | what it is |
//! | --- | --- |
//! | `struct State now` | the globals, as SPIN's verifier has them |
//! | `P0`, `Pname` | the locals of a process, likewise |
//! | `isospin_in_…`, `isospin_out_…` | from the vector to these structures, and back |
//! | `isospin_code_…` | a piece of the model's C, ready to be called |
//! | `isospin_table` | where cells are in the vector; filled in once that is known |

use std::fmt::Write as _;

use promela::ast::{CText, EmbeddedC};
use promela::model::{Model, Type, Variable, Visibility};
use promela::source::Span;
use rustc_hash::FxHashSet;

use super::words::Mentions;
use super::{Memory, MemoryOwner, Piece, PieceKind, Scope, Sharing, scope, words};
use crate::id::DefinitionId;
use crate::layout::{Area, Cells, Layout};
use crate::machine::Machine;
use crate::scalar::Scalar;

/// What the compiler's messages call the text around the model's.
pub const FILE: &str = "embedded.c";

const PRELUDE: &str = include_str!("prelude.c");

/// Entries of the table before those of the cells: how wide a frame's definition and location are, and where `_last` is.
const FIXED: usize = 3;
/// Marks an entry of the table: the cell lies in the side store.
const HIDDEN: u32 = 1 << 31;

/// Where everything is, in the order in which the text asks: the globals' cells, then each frame's.
pub fn table(layout: &Layout) -> Vec<u32> {
    let mut table = vec![layout.definition_width, layout.location_width, layout.last_offset.unwrap_or(0)];
    for area in std::iter::once(&layout.globals).chain(&layout.frames) {
        table.extend(area.cells.iter().map(|cells| cells.offset | if cells.hidden { HIDDEN } else { 0 }));
    }
    table
}

/// The C text for a model.
pub fn write(model: &Model, machine: &Machine, sharing: Sharing) -> String {
    let mentions = Mentions::of(model, &machine.code);
    let mut writer = Writer { model, machine, mentions, text: String::new() };
    writer.prelude(sharing);
    for embedded in &model.embedded_c {
        if let EmbeddedC::Declarations(text) = embedded {
            writer.verbatim(text, "");
        }
    }
    writer.structures();
    writer.processes();
    writer.state();
    writer.hidden();
    for embedded in &model.embedded_c {
        if let EmbeddedC::Code(text) = embedded {
            writer.verbatim(text, "");
        }
    }
    writer.globals_in_and_out();
    for index in 0..model.processes.len() {
        writer.locals_in_and_out(index);
    }
    writer.load();
    writer.start();
    for (number, piece) in machine.code.pieces.iter().enumerate() {
        writer.piece(number, piece);
    }
    writer.text
}

struct Writer<'a> {
    model: &'a Model,
    machine: &'a Machine,
    mentions: Mentions,
    text: String,
}

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Writer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn prelude(&mut self, sharing: Sharing) {
        let (private, lock, unlock) = match sharing {
            Sharing::Threads => ("static __thread", "", ""),
            Sharing::OneByOne => (
                "static",
                "while (__atomic_test_and_set(&isospin_lock, __ATOMIC_ACQUIRE)) { }",
                "__atomic_clear(&isospin_lock, __ATOMIC_RELEASE)",
            ),
        };
        if sharing == Sharing::OneByOne {
            self.line("static char isospin_lock;");
        }
        self.line(format!("#define ISOSPIN_PRIVATE {private}"));
        self.line(format!("#define ISOSPIN_LOCK {lock}"));
        self.line(format!("#define ISOSPIN_UNLOCK {unlock}"));
        self.line(PRELUDE);
    }

    /// Text of the model, under its own line numbers; `end` closes what is open.
    fn verbatim(&mut self, text: &CText, end: &str) {
        self.c_text(text.span, '{', &text.text);
        self.back(end);
    }

    fn c_text(&mut self, span: Span, open: char, text: &str) {
        let sources = &self.model.sources;
        let location = sources.location(span);
        let (path, line) = sources.presumed_line(location.file, location.line);
        // The text was trimmed: it may begin some lines below the bracket.
        let snippet = sources.snippet(span);
        let before = snippet.find(open).map_or(0, |open| {
            let inside = &snippet[open + 1..];
            let blank = &inside[..inside.len() - inside.trim_start().len()];
            snippet[..open].matches('\n').count() + blank.matches('\n').count()
        });
        let path = quoted(path);
        self.line(format!("\n#line {} {path}", line as usize + before));
        self.line(directives(text));
    }

    /// Back to our own text.
    fn back(&mut self, end: &str) {
        let next = self.text.matches('\n').count() + 2;
        self.line(format!("#line {next} \"{FILE}\""));
        self.line(end);
    }

    fn structures(&mut self) {
        for structure in &self.model.structures {
            self.line(format!("struct {} {{", structure.name));
            for field in &structure.fields {
                self.line(self.declaration(field, &field.name));
            }
            self.line("};");
        }
    }

    fn declaration(&self, variable: &Variable, name: &str) -> String {
        let scalar = Scalar::of(variable.ty);
        let (ty, bits) = match (variable.ty, scalar) {
            (Type::Structure(structure), _) => {
                (format!("struct {}", self.model.structures[structure.index()].name), None)
            }
            (_, Some(Scalar::Bit)) if variable.length.is_none() => ("unsigned".into(), Some(1)),
            (_, Some(Scalar::Unsigned(bits))) if variable.length.is_none() && bits < 32 => {
                ("unsigned".into(), Some(bits))
            }
            (_, Some(Scalar::Short)) => ("short".into(), None),
            (_, Some(Scalar::Int)) => ("int".into(), None),
            (_, Some(scalar)) => {
                let ty = match scalar.width() {
                    1 => "uchar",
                    2 => "ushort",
                    _ => "uint",
                };
                (ty.into(), None)
            }
            (_, None) => unreachable!("only structures are no scalars"),
        };
        match (bits, variable.length) {
            (Some(bits), _) => format!("\t{ty} {name} : {bits};"),
            (None, Some(length)) => format!("\t{ty} {name}[{length}];"),
            (None, None) => format!("\t{ty} {name};"),
        }
    }

    /// Memory of C within a structure: reached by its own names, and as bytes between two marks.
    fn memory(&mut self, owner: MemoryOwner) {
        for (number, memory) in self.machine.code.memory.iter().enumerate() {
            if let EmbeddedC::State(state) = &self.model.embedded_c[memory.declaration]
                && memory.owner == owner
            {
                let open = format!("\tunion {{ char isospin_memory_{number}; struct {{");
                let close = format!("\t}}; }}; char isospin_behind_{number}[0];");
                self.line(open);
                self.c_text(memory.span, '"', &format!("{};", state.strings[0]));
                self.back(&close);
            }
        }
    }

    fn processes(&mut self) {
        self.line("ISOSPIN_PRIVATE uchar *_this;");
        let priorities = self.machine.features.priorities;
        for (index, process) in self.model.processes.iter().enumerate() {
            self.line(format!("typedef struct P{index} {{"));
            self.line("\tunsigned _pid : 8;\n\tunsigned _t : 16;\n\tunsigned _p;");
            if priorities {
                self.line("\tunsigned _priority : 8;");
            }
            for (name, local) in local_names(&process.locals).iter().zip(&process.locals) {
                self.line(self.declaration(local, name));
            }
            self.memory(MemoryOwner::Definition(DefinitionId(index as u32)));
            self.line(format!("}} P{index};"));
            self.line(format!("#define P{} ((P{index} *) _this)", process.name.trim_matches(':')));
            self.line(format!("ISOSPIN_PRIVATE P{index} isospin_frame_{index};"));
        }
    }

    fn state(&mut self) {
        self.line("typedef struct State {\n\tuchar _nr_pr;\n\tuchar _last;");
        for global in self.model.globals.iter().filter(|global| !is_hidden(global)) {
            self.line(self.declaration(global, &global.name));
        }
        self.memory(MemoryOwner::Global);
        self.line("} State;\nISOSPIN_PRIVATE State now;");
    }

    /// What SPIN's verifier keeps outside its state.
    fn hidden(&mut self) {
        for global in self.model.globals.iter().filter(|global| is_hidden(global)) {
            // A bit of its own can only be a byte.
            let scalar = Scalar::of(global.ty);
            let declaration = match (scalar, global.length) {
                (Some(Scalar::Bit), None) => format!("uchar {};", global.name),
                (Some(Scalar::Unsigned(_)), None) => format!("uint {};", global.name),
                _ => self.declaration(global, &global.name).trim().to_string(),
            };
            self.line(format!("static {declaration}"));
        }
        for embedded in &self.model.embedded_c {
            if let EmbeddedC::State(state) = embedded
                && let Some(Scope::Hidden) = scope(state)
            {
                self.c_text(state.span, '"', &format!("{};", state.strings[0]));
                self.back("");
            }
        }
        let cells: usize = self.areas().map(|area| area.cells.len()).sum();
        self.line(format!("static unsigned isospin_table[{}];", FIXED + cells));
        self.line(format!("unsigned isospin_sizes[{}];", self.machine.code.memory.len() + 1));
        self.line(format!("static uchar *isospin_initial[{}];", self.machine.code.memory.len() + 1));
        self.line(format!(
            "#define ISOSPIN_AT(k) ((isospin_table[k] & {HIDDEN}u ? isospin_extra->hidden : isospin_s) + (isospin_table[k] & ~{HIDDEN}u))"
        ));
        self.line("#define ISOSPIN_IN(k) (isospin_f + isospin_table[k])");
    }

    fn areas(&self) -> impl Iterator<Item = &Area> {
        std::iter::once(&self.machine.layout.globals).chain(&self.machine.layout.frames)
    }

    /// The entry in the table of an area's first cells; the globals are area 0.
    fn first_entry(&self, area: usize) -> usize {
        FIXED + self.areas().take(area).map(|area| area.cells.len()).sum::<usize>()
    }

    fn globals_in_and_out(&mut self) {
        let globals = &self.machine.layout.globals;
        for way in [Way::In, Way::Out] {
            self.line(format!("static void isospin_{}(uchar *isospin_s)\n{{", way.name()));
            if way == Way::In {
                self.line("\tnow._nr_pr = isospin_s[0];");
                if self.machine.layout.last_offset.is_some() {
                    self.line("\tnow._last = isospin_s[isospin_table[2]];");
                }
            }
            let names: Vec<String> = self
                .model
                .globals
                .iter()
                .map(|global| if is_hidden(global) { global.name.to_string() } else { format!("now.{}", global.name) })
                .collect();
            self.variables(0, &self.model.globals, &names, globals, way);
            for (number, memory) in self.owned(MemoryOwner::Global) {
                if matches!(self.model.embedded_c[memory.declaration], EmbeddedC::State(_)) {
                    let at = format!("ISOSPIN_AT({})", self.memory_entry(number));
                    self.line(way.copy(&format!("&now.isospin_memory_{number}"), &at, number));
                }
            }
            self.line("}");
            self.line(format!("static void isospin_{}_tracked(uchar *isospin_s)\n{{", way.name()));
            for (number, memory) in self.owned(MemoryOwner::Global) {
                let EmbeddedC::Track(track) = &self.model.embedded_c[memory.declaration] else { continue };
                let at = format!("ISOSPIN_AT({})", self.memory_entry(number));
                self.c_text(
                    memory.span,
                    '"',
                    &format!(
                        "\tif ({0}) {1}",
                        track.strings[0],
                        way.copy(&format!("({})", track.strings[0]), &at, number).trim()
                    ),
                );
                self.back(&match way {
                    Way::In => String::new(),
                    Way::Out => format!("\telse memset({at}, 0, isospin_sizes[{number}]);"),
                });
            }
            self.line("}");
        }
    }

    fn locals_in_and_out(&mut self, index: usize) {
        let process = &self.model.processes[index];
        let area = &self.machine.layout.frames[index];
        for way in [Way::In, Way::Out] {
            let parameters = match way {
                Way::In => "uchar *isospin_f, unsigned isospin_p",
                Way::Out => "uchar *isospin_f",
            };
            self.line(format!("static void isospin_{}_{index}({parameters})\n{{", way.name()));
            if way == Way::In {
                self.line(format!("\tP{index} *isospin_o = &isospin_frame_{index};"));
                self.line(format!("\tisospin_o->_pid = isospin_p;\n\tisospin_o->_t = {index};"));
                self.line(
                    "\tisospin_o->_p = 0;\n\tmemcpy(&isospin_o->_p, isospin_f + isospin_table[0], isospin_table[1]);",
                );
                if self.machine.features.priorities {
                    self.line("\tisospin_o->_priority = isospin_f[isospin_table[0] + isospin_table[1]];");
                }
                self.line("\t_this = (uchar *) isospin_o;");
            }
            let names: Vec<String> =
                local_names(&process.locals).iter().map(|name| format!("isospin_frame_{index}.{name}")).collect();
            self.variables(index + 1, &process.locals, &names, area, way);
            for (number, _) in self.owned(MemoryOwner::Definition(DefinitionId(index as u32))) {
                let at = format!("ISOSPIN_IN({})", self.memory_entry(number));
                self.line(way.copy(&format!("&isospin_frame_{index}.isospin_memory_{number}"), &at, number));
            }
            self.line("}");
        }
    }

    fn owned(&self, owner: MemoryOwner) -> Vec<(usize, Memory)> {
        let memory = self.machine.code.memory.iter().enumerate();
        memory.filter(|(_, memory)| memory.owner == owner).map(|(number, memory)| (number, memory.clone())).collect()
    }

    /// The entry in the table of a memory: they come last in their areas, in order.
    fn memory_entry(&self, number: usize) -> usize {
        let memory = &self.machine.code.memory;
        let owner = memory[number].owner;
        let later = memory[number..].iter().filter(|each| each.owner == owner).count();
        let area = match owner {
            MemoryOwner::Global => 0,
            MemoryOwner::Definition(definition) => definition.index() + 1,
        };
        self.first_entry(area + 1) - later
    }

    /// Copies the cells of the variables that the C names; `names` are C's for the variables.
    fn variables(&mut self, area: usize, variables: &[Variable], names: &[String], cells: &Area, way: Way) {
        let at = if area == 0 { "ISOSPIN_AT" } else { "ISOSPIN_IN" };
        let mut entry = self.first_entry(area);
        let mut cells = cells.cells.iter();
        for (variable, name) in variables.iter().zip(names) {
            for _ in 0..leaves(self.model, variable) {
                let Some(leaf) = cells.next() else { return };
                if self.mentions.contain(&variable.name) {
                    self.line(copy(leaf, name, &format!("{at}({entry})"), way));
                }
                entry += 1;
            }
        }
    }

    /// What happens once, when the library is loaded.
    fn load(&mut self) {
        self.line("void isospin_place(const unsigned *table, unsigned length)\n{\n\tmemcpy(isospin_table, table, length * sizeof *table);\n}");
        self.line("void isospin_load(void)\n{\n#ifdef C_INIT\n\tC_INIT;\n#endif");
        for embedded in &self.model.embedded_c {
            if let EmbeddedC::State(state) = embedded
                && let (Some(Scope::Hidden), Some(value)) = (scope(state), state.strings.get(2))
            {
                let name = words::declared_name(&state.strings[0]);
                self.c_text(state.span, '"', &format!("\t{name} = {value};"));
                self.back("");
            }
        }
        for (number, memory) in self.machine.code.memory.iter().enumerate() {
            match &self.model.embedded_c[memory.declaration] {
                EmbeddedC::Track(track) => {
                    self.c_text(
                        memory.span,
                        '"',
                        &format!("\tisospin_sizes[{number}] = (unsigned) ({});", track.strings[1]),
                    );
                    let address = &track.strings[0];
                    self.back(&format!(
                        "\tif ({address}) memcpy(isospin_initial[{number}] = malloc(isospin_sizes[{number}]), ({address}), isospin_sizes[{number}]);"
                    ));
                }
                _ => {
                    let structure = match memory.owner {
                        MemoryOwner::Global => "State".to_string(),
                        MemoryOwner::Definition(definition) => format!("P{}", definition.0),
                    };
                    self.line(format!(
                        "\tisospin_sizes[{number}] = offsetof({structure}, isospin_behind_{number}) - offsetof({structure}, isospin_memory_{number});"
                    ));
                }
            }
        }
        self.line("}");
    }

    /// What happens when a state or a process begins.
    fn start(&mut self) {
        self.line(format!(
            "int isospin_start({PARAMETERS})\n{{\n\tisospin_begin(isospin_e);\n\tisospin_in(isospin_s);"
        ));
        for (number, memory) in self.owned(MemoryOwner::Global) {
            match &self.model.embedded_c[memory.declaration] {
                EmbeddedC::Track(track) => {
                    let address = &track.strings[0];
                    self.line(format!(
                        "\tif (isospin_initial[{number}] && ({address})) memcpy(({address}), isospin_initial[{number}], isospin_sizes[{number}]);"
                    ));
                }
                _ => self.initial_value(&memory, "now."),
            }
        }
        self.line("\tisospin_out(isospin_s);\n\tisospin_out_tracked(isospin_s);\n\treturn isospin_end();\n}");
        for index in 0..self.model.processes.len() {
            let owned = self.owned(MemoryOwner::Definition(DefinitionId(index as u32)));
            if owned.is_empty() {
                continue;
            }
            self.line(format!("int isospin_start_{index}({PARAMETERS})\n{{\n\tisospin_begin(isospin_e);"));
            self.line("\tisospin_in(isospin_s);\n\tisospin_in_tracked(isospin_s);");
            self.line(format!("\tisospin_in_{index}(isospin_f, isospin_p);"));
            for (_, memory) in owned {
                self.initial_value(&memory, &format!("isospin_frame_{index}."));
            }
            self.line(format!("\tisospin_out_{index}(isospin_f);\n\treturn isospin_end();\n}}"));
        }
    }

    fn initial_value(&mut self, memory: &Memory, prefix: &str) {
        if let EmbeddedC::State(state) = &self.model.embedded_c[memory.declaration]
            && let Some(value) = state.strings.get(2)
        {
            self.c_text(memory.span, '"', &format!("\t{prefix}{} = {value};", memory.name));
            self.back("");
        }
    }

    fn piece(&mut self, number: usize, piece: &Piece) {
        // In a function of its own, the text may even return.
        match piece.kind {
            PieceKind::Statement => {
                self.line(format!("static void isospin_text_{number}(void)\n{{"));
                self.verbatim(&piece.text, "}");
            }
            PieceKind::Expression => {
                self.line(format!("static int isospin_text_{number}(void)\n{{\n\t__auto_type isospin_v = ("));
                // What is true stays so when it is cut to an `int`.
                self.verbatim(
                    &piece.text,
                    "\t) + 0;\n\treturn isospin_v ? (int) isospin_v ? (int) isospin_v : 1 : 0;\n}",
                );
            }
        }
        if let Some(condition) = &piece.text.precondition {
            self.line(format!("static int isospin_condition_{number}(void)\n{{\n\treturn !!("));
            self.c_text(piece.text.span, '[', condition);
            self.back("\t);\n}");
        }
        self.line(format!("int isospin_code_{number}({PARAMETERS})\n{{\n\tisospin_begin(isospin_e);"));
        self.line("\tisospin_in(isospin_s);\n\tisospin_in_tracked(isospin_s);");
        if let Some(DefinitionId(owner)) = piece.owner {
            self.line(format!("\tisospin_in_{owner}(isospin_f, isospin_p);"));
        }
        if piece.kind == PieceKind::Expression {
            self.line(format!("\tint isospin_r = isospin_text_{number}();\n\tisospin_end();\n\treturn isospin_r;\n}}"));
            return;
        }
        if let Some(condition) = &piece.text.precondition {
            let line = self.model.sources.location(piece.text.span).line;
            let why = quoted(&format!("c_code line {line} precondition false: {}", one_line(condition)));
            self.line(format!("\tif (!isospin_condition_{number}()) uerror({why}); else"));
        }
        self.line(format!("\tisospin_text_{number}();"));
        self.line("\tif (!isospin_failed) {\n\tisospin_out(isospin_s);\n\tisospin_out_tracked(isospin_s);");
        if let Some(DefinitionId(owner)) = piece.owner {
            self.line(format!("\tisospin_out_{owner}(isospin_f);"));
        }
        self.line("\t}\n\treturn isospin_end();\n}");
    }
}

/// The parameters of every function that is called from outside.
const PARAMETERS: &str =
    "uchar *isospin_s, uchar *isospin_f, unsigned isospin_p, const struct isospin_extra *isospin_e";

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::In => "in",
            Way::Out => "out",
        }
    }

    fn copy(self, memory: &str, at: &str, number: usize) -> String {
        match self {
            Way::In => format!("\tmemcpy({memory}, {at}, isospin_sizes[{number}]);"),
            Way::Out => format!("\tmemcpy({at}, {memory}, isospin_sizes[{number}]);"),
        }
    }
}

/// Copies the cells of one leaf of a variable.
fn copy(cells: &Cells, name: &str, at: &str, way: Way) -> String {
    let mut loops = String::new();
    let mut place = name.to_string();
    let mut index = String::from("0");
    for (depth, part) in cells.path.iter().enumerate() {
        if depth > 0 {
            let _ = write!(place, ".{}", part.name);
        }
        if let Some(length) = part.length {
            let _ = write!(loops, "for (unsigned i{depth} = 0; i{depth} < {length}; i{depth}++) ");
            let _ = write!(place, "[i{depth}]");
            index = format!("({index}) * {length} + i{depth}");
        }
    }
    let at = format!("{at} + ({index}) * {}", cells.scalar.width());
    let statement = match (way, cells.scalar) {
        (Way::In, Scalar::Short) => format!("{place} = isospin_get_short({at});"),
        (Way::In, scalar) => match scalar.width() {
            1 => format!("{place} = *({at});"),
            2 => format!("{place} = isospin_get_ushort({at});"),
            _ => format!("{place} = isospin_get_int({at});"),
        },
        (Way::Out, scalar) => {
            let value = match scalar {
                Scalar::Bit => format!("{place} & 1"),
                Scalar::Unsigned(bits) if bits < 32 => format!("{place} & {}u", (1_u64 << bits) - 1),
                _ => place,
            };
            match scalar.width() {
                1 => format!("*({at}) = {value};"),
                2 => format!("isospin_put_short({at}, {value});"),
                _ => format!("isospin_put_int({at}, {value});"),
            }
        }
    };
    format!("\t{loops}{statement}")
}

/// How many groups of cells a variable has.
fn leaves(model: &Model, variable: &Variable) -> usize {
    match variable.ty {
        Type::Structure(structure) => {
            model.structures[structure.index()].fields.iter().map(|field| leaves(model, field)).sum()
        }
        _ => 1,
    }
}

/// What C calls the locals of a process: by their names, and with the block's number where a name is used again.
fn local_names(locals: &[Variable]) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut names = Vec::new();
    for local in locals {
        let mut name = local.name.to_string();
        while !seen.insert(name.clone()) {
            name = format!("_{name}");
        }
        names.push(name);
    }
    names
}

fn is_hidden(variable: &Variable) -> bool {
    variable.visibility == Some(Visibility::Hidden)
}

/// `\#` is how a model hides a directive of C's preprocessor from Promela's; it stands on a line of its own.
fn directives(text: &str) -> String {
    let mut parts = text.split("\\#");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_first = plain.lines().next_back().is_none_or(|line| line.trim().is_empty()) || plain.ends_with('\n');
        plain += if is_first { "#" } else { "\n#" };
        plain += part;
    }
    plain
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A C string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
