//! What the trees look like: precedence as SPIN has it, formulas as SPIN reads them, inlines put in as text, and every token
//! where the user can find it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use promela::ast::{
    Ast, BinaryOp, Expr, ExprKind, Formula, FormulaKind, Statement, StatementKind, Step, UnaryOp, Unit,
};
use promela::parse::{parse_formula, proctype_names};
use promela::print::{print_expression_line, print_formula, print_statement_line};
use promela::source::{SourceMap, Span};

use crate::support::{parse_text, tokens};

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.roll(among.len())]
    }
}

fn body(ast: &Ast) -> Vec<&Statement> {
    let init = ast.units.iter().find_map(|unit| match unit {
        Unit::Init(init) => Some(&init.body.steps),
        _ => None,
    });
    init.into_iter()
        .flatten()
        .filter_map(|step| match step {
            Step::Statement(statement) => Some(statement),
            _ => None,
        })
        .collect()
}

/// What `spin -a` says and writes about a model. `None` without a `spin`.
fn spin(name: &str, options: &[&str], model: &str) -> Option<(String, String)> {
    let directory: PathBuf = std::env::temp_dir().join(format!("isospin-structure-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("the temporary directory is writable");
    std::fs::write(directory.join("m.pml"), model).expect("the temporary directory is writable");
    let output =
        Command::new("spin").args(options).arg("-a").arg("m.pml").current_dir(&directory).stdin(Stdio::null()).output();
    let transitions = std::fs::read_to_string(directory.join("pan.t")).unwrap_or_default();
    // Best effort: what stays behind is in the temporary directory.
    let _ = std::fs::remove_dir_all(&directory);
    Some((String::from_utf8_lossy(&output.ok()?.stdout).into_owned(), transitions))
}

#[test]
fn operators_bind_as_in_spin() {
    let mut dice = Dice(1);
    let mut statements = Vec::new();
    for _ in 0..150 {
        let mut text = String::new();
        for index in 0..2 + dice.roll(5) {
            if index > 0 {
                let operators =
                    ["*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"];
                text += &format!(" {} ", dice.pick(&operators));
            }
            text += dice.pick(&["", "", "", "-", "!", "~", "- -"]);
            text += dice.pick(&["x", "y", "3", "a[1]", "len(q)", "q?[1]", "(x + 1)", "(y -> x : 2)", "timeout", "t.f"]);
        }
        statements.push(text);
    }
    let model = format!(
        "typedef T {{ byte f }} T t; byte x, y, a[2]; chan q = [1] of {{ byte }};\ninit {{\n{};\n x = 1 }}\n",
        statements.join(";\n")
    );
    let ast = parse_text(&model).accepted();
    let ours: Vec<String> = body(&ast).into_iter().map(print_statement_line).collect();
    let Some((_, transitions)) = spin("operators", &["-o3"], &model) else { return };
    let theirs: Vec<&str> = transitions
        .lines()
        .filter_map(|line| line.trim().strip_prefix("trans[0]"))
        .filter_map(|line| line.split('"').nth(1))
        .filter(|text| *text != "-end-" && *text != "-start-")
        .collect();
    assert_eq!(theirs.len(), ours.len(), "{transitions}");
    for ((written, ours), theirs) in statements.iter().zip(&ours).zip(&theirs) {
        assert_eq!(ours, theirs, "{written}");
    }
}

/// A formula in the words of `spin -a`.
fn in_spins_words(formula: &Formula) -> String {
    let unary = |operator, inner| format!("{operator} ({})", in_spins_words(inner));
    let binary = |left, operator, right| format!("({}) {operator} ({})", in_spins_words(left), in_spins_words(right));
    match &formula.kind {
        FormulaKind::Atom(expr) => atom_in_spins_words(expr),
        FormulaKind::Not(inner) => unary("!", inner),
        FormulaKind::Next(inner) => unary("X", inner),
        FormulaKind::Always(inner) => unary("[]", inner),
        FormulaKind::Eventually(inner) => unary("<>", inner),
        FormulaKind::And(left, right) => binary(left, "&&", right),
        FormulaKind::Or(left, right) => binary(left, "||", right),
        FormulaKind::Implies(left, right) => format!("({}) || ({})", unary("!", left), in_spins_words(right)),
        FormulaKind::Equivalent(left, right) => binary(left, "<->", right),
        FormulaKind::Until(left, right) => binary(left, "U", right),
        FormulaKind::WeakUntil(left, right) => format!("({}) || ({})", unary("[]", left), binary(left, "U", right)),
        FormulaKind::Release(left, right) => binary(left, "V", right),
    }
}

fn atom_in_spins_words(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Paren(inner) => atom_in_spins_words(inner),
        ExprKind::Unary(UnaryOp::Not, inner) => format!("! ({})", atom_in_spins_words(inner)),
        ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let operator = if *operator == BinaryOp::And { "&&" } else { "||" };
            format!("({}) {operator} ({})", atom_in_spins_words(left), atom_in_spins_words(right))
        }
        _ => print_expression_line(expr),
    }
}

#[test]
fn formulas_are_read_as_in_spin() {
    let mut dice = Dice(2);
    let mut formulas = Vec::new();
    for _ in 0..40 {
        let mut text = String::new();
        for index in 0..1 + dice.roll(3) {
            if index > 0 {
                let operators =
                    ["&&", "||", "->", "<->", "U", "V", "W", "until", "implies", "equivalent", "weakuntil", "release"];
                text += &format!(" {} ", dice.pick(&operators));
            }
            text += dice.pick(&["", "", "!", "[]", "<>", "always ", "[]<>", "! []", "!<>!"]);
            text += dice.pick(&["x", "y", "(x == 1)", "(x && y)", "(x || !y)", "(<> x)", "(len(q) > 1)"]);
        }
        formulas.push(text);
    }
    let properties: Vec<String> = formulas.iter().map(|formula| format!("ltl {{ {formula} }}")).collect();
    let model = format!("byte x, y; chan q = [1] of {{ byte }};\ninit {{ skip }}\n{}\n", properties.join("\n"));
    let ast = parse_text(&model).accepted();
    let ours: Vec<String> = ast
        .units
        .iter()
        .filter_map(|unit| match unit {
            Unit::Ltl(property) => Some(in_spins_words(&property.formula)),
            _ => None,
        })
        .collect();
    let Some((output, _)) = spin("formulas", &[], &model) else { return };
    let theirs: Vec<&str> = output
        .lines()
        .filter_map(|line| line.strip_prefix("ltl ltl_")?.split_once(": "))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(theirs.len(), ours.len(), "{output}");
    for ((written, ours), theirs) in formulas.iter().zip(&ours).zip(&theirs) {
        assert_eq!(ours, theirs, "{written}");
    }
}

/// The formula that stands alone in `text`, printed, and the codes of all diagnostics.
fn formula(text: &str) -> (String, Vec<&'static str>) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let tokens = tokens(&mut sources, "formula", text, &mut diagnostics);
    let formula = parse_formula(&mut sources, tokens, &["P".into()], &mut diagnostics);
    let codes = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    (formula.map_or_else(|| "none".into(), |formula| print_formula(&formula)), codes)
}

#[test]
fn a_formula_by_itself_may_use_every_spelling() {
    for (text, printed) in [
        ("[]<>p", "[] <> p"),
        ("always eventually p", "[] <> p"),
        ("p R q V r release s", "p V q V r V s"),
        ("p /\\ q \\/ !r", "p && q || !r"),
        ("X p && next q", "X p && X q"),
        ("p stronguntil (q W r)", "p U (q W r)"),
        ("P[1]@L U P:x == 3", "P[1]@L U P:x == 3"),
        ("X == 1 && U == 2", "X == 1 && U == 2"),
        ("[] (always -> eventually)", "[] (always -> eventually)"),
        ("x\n<->\ny", "x <-> y"),
    ] {
        assert_eq!(formula(text), (printed.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn traps_of_the_notation_are_pointed_out() {
    for (text, printed, code) in [
        ("a || b && c", "a || b && c", "mixed-and-or"),
        ("a -> b -> c", "a -> b -> c", "chained-implication"),
        ("[] x == 1", "[] (x == 1)", "temporal-precedence"),
        ("<> x + 1 > 2 U y", "<> (x + 1 > 2) U y", "temporal-precedence"),
        ("[] (c -> a : b)", "[] (c -> a : b)", "beyond-spin"),
        ("[] full(q)", "[] full(q)", "beyond-spin"),
        ("", "none", "syntax"),
        ("a b", "none", "syntax"),
        ("([] a) + 1", "none", "temporal-operand"),
    ] {
        assert_eq!(formula(text), (printed.to_owned(), vec![code]), "{text}");
    }
}

#[test]
fn an_atom_is_the_largest_expression_it_can_be() {
    let ast = parse_text("ltl { !a && (b || c == 1) U [] d && e && f } init { skip }").accepted();
    let Unit::Ltl(property) = &ast.units[0] else { panic!("the first unit is the property") };
    let mut atoms = Vec::new();
    collect_atoms(&property.formula, &mut atoms);
    assert_eq!(atoms, ["!(a)", "(b||(c==1))", "d", "e", "f"]);
    let ast = parse_text("ltl { a && !(b || c) -> <> d } init { skip }").accepted();
    let Unit::Ltl(property) = &ast.units[0] else { panic!("the first unit is the property") };
    let mut atoms = Vec::new();
    collect_atoms(&property.formula, &mut atoms);
    assert_eq!(atoms, ["(a&&!((b||c)))", "d"]);
}

fn collect_atoms(formula: &Formula, atoms: &mut Vec<String>) {
    match &formula.kind {
        FormulaKind::Atom(expr) => atoms.push(print_expression_line(expr)),
        FormulaKind::Not(inner)
        | FormulaKind::Next(inner)
        | FormulaKind::Always(inner)
        | FormulaKind::Eventually(inner) => {
            collect_atoms(inner, atoms);
        }
        FormulaKind::And(left, right)
        | FormulaKind::Or(left, right)
        | FormulaKind::Implies(left, right)
        | FormulaKind::Equivalent(left, right)
        | FormulaKind::Until(left, right)
        | FormulaKind::WeakUntil(left, right)
        | FormulaKind::Release(left, right) => {
            collect_atoms(left, atoms);
            collect_atoms(right, atoms);
        }
    }
}

#[test]
fn an_inline_is_put_in_as_text() {
    let model = "byte x, y;\ninline set(v, e) {\n  v = e * 2\n  printf(\"e\")\n  c_code { v = e; }\n}\ninit { set(x, y + 1) }\n";
    let ast = parse_text(model).accepted();
    let StatementKind::Call(call) = &body(&ast)[0].kind else { panic!("`set(...)` is a call") };
    let lines: Vec<String> = call
        .body
        .steps
        .iter()
        .map(|step| match step {
            Step::Statement(statement) => print_statement_line(statement),
            _ => panic!("only statements"),
        })
        .collect();
    assert_eq!(lines, ["x = (y+(1*2))", "printf('e')", "{v = e;}"]);
}

#[test]
fn a_statement_of_an_inline_is_reported_in_its_body_and_seen_at_its_use() {
    let model = "#define TWO 2\nbyte x;\ninline set(v) {\n  v = TWO;\n  skip\n}\ninline both(w) {\n  set(w)\n}\ninit {\n  both(x)\n}\n";
    let parsed = parse_text(model);
    let StatementKind::Call(outer) = &body(&parsed.ast)[0].kind else { panic!("`both(x)` is a call") };
    let Step::Statement(Statement { kind: StatementKind::Call(inner), .. }) = &outer.body.steps[0] else {
        panic!("`set(w)` is a call")
    };
    let spans: Vec<Span> = inner
        .body
        .steps
        .iter()
        .map(|step| match step {
            Step::Statement(statement) => statement.span,
            _ => panic!("only statements"),
        })
        .collect();
    let sources = &parsed.sources;
    let reported = |span| sources.location(sources.reported_span(span)).line;
    // `v = TWO` begins with an argument and ends with a macro: SPIN names the line in the inline all the same.
    assert_eq!([reported(spans[0]), reported(spans[1])], [4, 5]);
    let seen = |span| sources.location(sources.use_site(span)).line;
    assert_eq!([seen(spans[0]), seen(spans[1])], [11, 11]);
    let Step::Statement(Statement { kind: StatementKind::Assign(target, value), .. }) = &inner.body.steps[0] else {
        panic!("`v = TWO` assigns")
    };
    assert_eq!(sources.snippet(sources.visible_span(target.span)), "x");
    assert_eq!(reported(target.span), 4);
    assert_eq!(reported(value.span), 4);
}

#[test]
fn the_span_of_an_expression_covers_it() {
    let model = "#define N (2 + 3)\nbyte x;\ninit { x = x * N - 1 }\n";
    let parsed = parse_text(model);
    let StatementKind::Assign(_, value) = &body(&parsed.ast)[0].kind else { panic!("an assignment") };
    assert_eq!(parsed.sources.snippet(value.span), "x * N - 1");
    let ExprKind::Binary(BinaryOp::Subtract, product, _) = &value.kind else { panic!("a difference") };
    assert_eq!(parsed.sources.snippet(product.span), "x * N");
}

#[test]
fn the_error_of_an_inline_is_told_once_however_often_it_is_used() {
    let parsed = parse_text("byte x; inline f(a) { x = a + } init { f(1); f(2); f(3) }");
    assert_eq!(parsed.errors().count(), 1);
}

#[test]
fn proctypes_are_found_for_formulas_of_the_command_line() {
    let ast = parse_text("active proctype A() { skip } proctype B() { skip } init { skip }").accepted();
    let names: Vec<String> = proctype_names(&ast).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn numbers_are_cut_to_32_bits_as_in_spin() {
    let text =
        "int x; init { x = 2147483647; x = -2147483648; x = 2147483648; x = 99999999999; x = 999999999999999999999 }";
    let parsed = parse_text(text);
    let lines: Vec<String> = body(&parsed.ast).into_iter().map(print_statement_line).collect();
    assert_eq!(lines, ["x = 2147483647", "x = -(-2147483648)", "x = -2147483648", "x = 1215752191", "x = -1"]);
    assert_eq!(parsed.diagnostics.iter().filter(|warning| warning.code == "number-too-large").count(), 3);
}
