//! Printing and parsing are inverse, and statements print in one line as SPIN prints them.

use promela::ast::{Ast, StatementKind, Step, Unit};
use promela::parse::parse_formula;
use promela::print::{print, print_formula, print_statement_line};
use promela::source::SourceMap;
use proptest::proptest;

use crate::examples::spin_examples;
use crate::spans::{formula_without_spans, without_spans};
use crate::support::{parse_text, tokens};
use crate::trees;

proptest! {
    #[test]
    fn a_printed_tree_parses_back_to_itself(ast in trees::ast()) {
        let text = print(&ast);
        let parsed = parse_text(&text);
        let errors: Vec<_> = parsed.errors().map(|error| (parsed.line(error), error.message.clone())).collect();
        assert!(errors.is_empty(), "{errors:?}\n{text}");
        assert_eq!(without_spans(parsed.ast), ast, "{text}");
    }

    #[test]
    fn a_printed_formula_parses_back_to_itself_by_itself(formula in trees::formula()) {
        let text = print_formula(&formula);
        let mut sources = SourceMap::new();
        let mut diagnostics = Vec::new();
        let tokens = tokens(&mut sources, "formula", &text, &mut diagnostics);
        let parsed = parse_formula(&mut sources, tokens, &["P".into()], &mut diagnostics);
        let parsed = parsed.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
        assert_eq!(formula_without_spans(parsed), formula, "{text}");
    }
}

#[test]
fn every_example_of_spin_survives_printing() {
    for (path, text) in spin_examples(&["pml"]) {
        let parsed = crate::support::parse_file(&path.to_string_lossy(), &text);
        if parsed.errors().count() == 0 {
            check_round_trip(parsed.ast, &path.to_string_lossy());
        }
    }
}

#[test]
fn inlines_are_printed_with_their_text_and_used_again() {
    let model = "byte x;\ninline set(v, e) {\n  v = e * 2\n  c_code { v = e; }\n  printf(\"v e\")\n}\n\
                 inline twice(a) { set(a, 1 + 2); set(a, a) }\ninline get(n) { return n + 1 }\n\
                 init { twice(x) set(x, 3) unless { x == 1 }; x = get(x) }\n";
    check_round_trip(parse_text(model).accepted(), model);
}

fn check_round_trip(ast: Ast, origin: &str) {
    let text = print(&ast);
    let again = parse_text(&text).accepted();
    assert!(without_spans(again) == without_spans(ast), "{origin}\n{text}");
}

#[test]
fn a_statement_prints_in_one_line_as_in_spins_traces() {
    // Taken from `spin -p` and from the transition table of `spin -o3 -a`.
    let expected = [
        ("x = y + 1", "x = (y+1)"),
        ("x++", "x = (x+1)"),
        ("a[x]--", "a[x] = (a[x]-1)"),
        ("z = -x", "z = -(x)"),
        ("z = (x -> 1 : 2)", "z = ( (x) -> (1) : (2) )"),
        ("x = 1 + 2 * 3 - (4 - 5)", "x = ((1+(2*3))-(4-5))"),
        ("q!B(2)", "q!B,2"),
        ("q!!A,x+1", "q!!A,(x+1)"),
        ("(len(q) == 3)", "((len(q)==3))"),
        ("len(q) > 1 && nfull(q)", "(((len(q)>1)&&nfull(q)))"),
        ("nempty(q)", "(nempty(q))"),
        ("q?[eval(m),y] || true", "((q?[eval(m),y]||1))"),
        ("q??[B,2]", "(q??[B,2])"),
        ("q?<m,y>", "q?<m,y>"),
        ("q?eval(A),_", "q?eval(A),_"),
        ("skip", "(1)"),
        ("x != 200 && y < 100 || z", "((((x!=200)&&(y<100))||z))"),
        ("assert x >= 0", "assert((x>=0))"),
        ("printf(\"hello %d\\n\", x)", "printf('hello %d\\\\n',x)"),
        ("run P(1,x+1)", "(run P(1,(x+1)))"),
        ("u[1].f[0]++", "u[1].f[0] = (u[1].f[0]+1)"),
        ("(x & 3) | 4 ^ 1", "(((x&3)|(4^1)))"),
        ("r!'a'", "r!97"),
        ("r?-1", "r?-1"),
        ("set_priority(0, get_priority(0)+1)", "set_priority(0, (get_priority(0)+1))"),
        ("!(x == 200)", "(!((x==200)))"),
        ("L: timeout", "(timeout)"),
        ("goto L", "goto L"),
        ("if :: else fi", "IF"),
        ("atomic { skip }", "ATOMIC"),
    ];
    for (statement, line) in expected {
        let ast = parse_text(&format!("init {{ {statement} }}")).accepted();
        let Unit::Init(init) = &ast.units[0] else { panic!("`init` is a unit") };
        let Step::Statement(parsed) = &init.body.steps[0] else { panic!("`{statement}` is a statement") };
        assert!(!matches!(parsed.kind, StatementKind::Error(_)));
        assert_eq!(print_statement_line(parsed), line, "{statement}");
    }
}
