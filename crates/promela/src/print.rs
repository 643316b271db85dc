//! The syntax tree as Promela text.
//!
//! The text parses back to an equal tree, spans aside, for every tree the parser makes: parentheses and the text of inlines
//! and embedded C are part of the tree, and white space carries no meaning the printer does not put there. In trees made by
//! other hands, parentheses are added where precedence asks for them.
//!
//! [`print_statement_line`] is something else: the text SPIN shows for a statement in its traces.

mod expression;
mod formula;
mod line;
mod statement;

use std::fmt::Write;

use crate::ast::{
    Ast, Block, CStrings, ChannelInitialiser, Declaration, Declarator, EmbeddedC, Expr, Formula, Initialiser,
    MtypeDeclaration, Name, PortDirection, Proctype, TypeName, Unit, Visibility,
};
pub use line::{print_expression_line, print_statement_line};

/// A model as text.
///
/// ```
/// use promela::parse::parse;
/// use promela::preprocess::{InMemory, Options, preprocess};
/// use promela::print::print;
/// use promela::source::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add_file("m.pml", "byte x init{if::x==1->x=2::else fi}").unwrap();
/// let mut diagnostics = Vec::new();
/// let tokens = preprocess(&mut sources, main, &Options::default(), &InMemory::default(), &mut diagnostics);
/// let ast = parse(&mut sources, tokens, &mut diagnostics);
/// assert!(print(&ast).contains(":: x == 1 ->"));
/// ```
#[must_use]
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer::default();
    for unit in &ast.units {
        printer.unit(unit);
        printer.out.push('\n');
    }
    printer.out
}

/// Tells models apart, not forgers: FNV-1a over the text as the parser understood it.
#[must_use]
pub fn digest(ast: &Ast) -> String {
    let text = print(ast);
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

/// A sequence of steps in braces as text.
#[must_use]
pub fn print_block(block: &Block) -> String {
    let mut printer = Printer::default();
    printer.block(block);
    printer.out
}

/// An expression as text.
#[must_use]
pub fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.out
}

/// A formula as text, as it would stand in an `ltl` block.
#[must_use]
pub fn print_formula(formula: &Formula) -> String {
    let mut printer = Printer::default();
    printer.formula(formula);
    printer.out
}

/// Text being put together.
#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("    ", self.indent));
    }

    fn separated<T>(&mut self, items: &[T], separator: &str, mut item: impl FnMut(&mut Self, &T)) {
        for (index, each) in items.iter().enumerate() {
            if index > 0 {
                self.word(separator);
            }
            item(self, each);
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.separated(names, ", ", |printer, name| printer.word(&name.text));
    }

    // ------------------------------------------------------------------------------------ units

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Declaration(declaration) => {
                self.declaration(declaration);
                self.word(";");
            }
            Unit::Mtype(mtype) => self.mtype(mtype),
            Unit::Typedef(typedef) => {
                self.format(format_args!("typedef {} {{", typedef.name.text));
                self.indent += 1;
                for field in &typedef.fields {
                    self.line_break();
                    self.declaration(field);
                    self.word(";");
                }
                self.indent -= 1;
                self.line_break();
                self.word("}");
            }
            Unit::Inline(inline) => {
                self.format(format_args!("inline {}(", inline.name.text));
                self.names(&inline.parameters);
                self.format(format_args!(") {{\n{}\n}}", inline.text));
            }
            Unit::Proctype(proctype) => self.proctype(proctype),
            Unit::Init(init) => {
                self.word("init ");
                self.clauses(init.priority.as_ref(), init.provided.as_ref());
                self.block(&init.body);
            }
            Unit::Never(claim) => {
                self.word("never ");
                self.optional_name(claim.name.as_ref());
                self.block(&claim.body);
            }
            Unit::Trace(trace) => {
                self.word(if trace.negated { "notrace " } else { "trace " });
                self.optional_name(trace.name.as_ref());
                self.block(&trace.body);
            }
            Unit::Ltl(property) => {
                self.word("ltl ");
                self.optional_name(property.name.as_ref());
                self.word("{ ");
                self.formula(&property.formula);
                self.word(" }");
            }
            Unit::EmbeddedC(embedded) => self.embedded_c(embedded),
        }
    }

    /// Adds formatted text.
    fn format(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.out.write_fmt(arguments);
    }

    fn optional_name(&mut self, name: Option<&Name>) {
        if let Some(name) = name {
            self.word(&name.text);
            self.word(" ");
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(active) = &proctype.active {
            self.word("active ");
            if let Some(count) = &active.count {
                self.word("[");
                self.expr(count);
                self.word("] ");
            }
        }
        self.word(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.word(&proctype.name.text);
        self.word("(");
        self.separated(&proctype.parameters, "; ", Self::declaration);
        self.word(") ");
        self.clauses(proctype.priority.as_ref(), proctype.provided.as_ref());
        self.block(&proctype.body);
    }

    fn clauses(&mut self, priority: Option<&Expr>, provided: Option<&Expr>) {
        if let Some(priority) = priority {
            self.word("priority ");
            self.expr(priority);
            self.word(" ");
        }
        if let Some(provided) = provided {
            self.word("provided (");
            self.expr(provided);
            self.word(") ");
        }
    }

    fn embedded_c(&mut self, embedded: &EmbeddedC) {
        let strings = |printer: &mut Self, keyword: &str, strings: &CStrings| {
            printer.word(keyword);
            for string in &strings.strings {
                printer.format(format_args!(" \"{string}\""));
            }
        };
        match embedded {
            EmbeddedC::Declarations(text) => self.c_text("c_decl", text),
            EmbeddedC::Code(text) => self.c_text("c_code", text),
            EmbeddedC::State(texts) => strings(self, "c_state", texts),
            EmbeddedC::Track(texts) => strings(self, "c_track", texts),
        }
    }

    fn c_text(&mut self, keyword: &str, text: &crate::ast::CText) {
        self.word(keyword);
        if let Some(precondition) = &text.precondition {
            self.format(format_args!(" [{precondition}]"));
        }
        self.format(format_args!(" {{ {} }}", text.text));
    }

    // ------------------------------------------------------------------------------------ declarations

    fn mtype(&mut self, mtype: &MtypeDeclaration) {
        self.word("mtype");
        if let Some(set) = &mtype.set {
            self.format(format_args!(":{}", set.text));
        }
        self.word(" = { ");
        self.names(&mtype.names);
        self.word(" }");
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if declaration.public.is_some() {
            self.word("public ");
        }
        if let Some((visibility, _)) = declaration.visibility {
            self.word(match visibility {
                Visibility::Hidden => "hidden ",
                Visibility::Show => "show ",
                Visibility::Local => "local ",
            });
        }
        self.type_name(&declaration.type_name);
        self.word(" ");
        self.separated(&declaration.variables, ", ", Self::declarator);
    }

    fn type_name(&mut self, type_name: &TypeName) {
        match type_name {
            TypeName::Bit => self.word("bit"),
            TypeName::Bool => self.word("bool"),
            TypeName::Byte => self.word("byte"),
            TypeName::Pid => self.word("pid"),
            TypeName::Short => self.word("short"),
            TypeName::Int => self.word("int"),
            TypeName::Unsigned => self.word("unsigned"),
            TypeName::Mtype(None) => self.word("mtype"),
            TypeName::Mtype(Some(set)) => self.format(format_args!("mtype:{}", set.text)),
            TypeName::Chan => self.word("chan"),
            TypeName::User(name) => self.word(&name.text),
            TypeName::Ref(proctype) => self.format(format_args!("ref {}", proctype.text)),
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.word(&declarator.name.text);
        if let Some(width) = &declarator.width {
            self.word(" : ");
            self.expr(width);
        }
        if let Some(length) = &declarator.length {
            self.word("[");
            self.expr(length);
            self.word("]");
        }
        if let Some(external) = &declarator.external {
            let direction = match external.direction {
                Some(PortDirection::Send) => " !",
                Some(PortDirection::Receive) => " ?",
                None => "",
            };
            self.format(format_args!(" (extern {}{direction})", external.name.text));
        }
        if let Some(initialiser) = &declarator.initialiser {
            self.word(" = ");
            self.initialiser(initialiser);
        }
    }

    fn initialiser(&mut self, initialiser: &Initialiser) {
        match initialiser {
            Initialiser::Expression(expr) => self.expr(expr),
            Initialiser::List(values, _) => {
                self.word("{ ");
                self.separated(values, ", ", Self::expr);
                self.word(" }");
            }
            Initialiser::Channel(ChannelInitialiser { capacity, fields, .. }) => {
                self.word("[");
                self.expr(capacity);
                self.word("] of { ");
                self.separated(fields, ", ", |printer, (type_name, _)| printer.type_name(type_name));
                self.word(" }");
            }
        }
    }
}
