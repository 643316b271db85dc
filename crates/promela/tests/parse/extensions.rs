//! The extensions parse, and none of their words is taken away from ordinary models.

use promela::ast::{Declaration, ExprKind, Initialiser, PortDirection, Statement, StatementKind, Step, TypeName, Unit};
use promela::print::print;

use crate::spans::without_spans;
use crate::support::parse_text;

const REFERENCES: &str = "\
mtype = { req, ack };
proctype Client() {
  public chan inbox = [4] of { mtype };
  ref Server s;
  s = anyRef(Server);
  Server[s].inbox!req,_lid;
  inbox?ack;
  s = _undef_ref;
  if :: s == _undef_ref -> skip :: Server[s].load > 3 fi
}
proctype Server() {
  public chan inbox = [4] of { mtype, ref Client };
  public byte load;
  ref Client c, other = _undef_ref;
  inbox?req,c;
  Client[c].inbox!ack
}
";

#[test]
fn references_between_processes_parse() {
    let ast = parse_text(REFERENCES).accepted();
    let Unit::Proctype(client) = &ast.units[1] else { panic!("the second unit is a proctype") };
    let Step::Declaration(inbox) = &client.body.steps[0] else { panic!("it begins with a declaration") };
    assert!(inbox.public.is_some());
    let Step::Declaration(Declaration { type_name: TypeName::Ref(proctype), .. }) = &client.body.steps[1] else {
        panic!("then it declares a reference")
    };
    assert_eq!(&*proctype.text, "Server");
    let Step::Statement(Statement { kind: StatementKind::Assign(_, any), .. }) = &client.body.steps[2] else {
        panic!("then it assigns")
    };
    assert!(matches!(any.kind, ExprKind::AnyRef(_)));
    let Step::Statement(Statement { kind: StatementKind::Send(send), .. }) = &client.body.steps[3] else {
        panic!("then it sends")
    };
    assert_eq!(send.channel.parts.len(), 2);
    let Unit::Proctype(server) = &ast.units[2] else { panic!("the third unit is a proctype") };
    let Step::Declaration(inbox) = &server.body.steps[0] else { panic!("it begins with a declaration") };
    let Some(Initialiser::Channel(channel)) = &inbox.variables[0].initialiser else { panic!("of a channel") };
    assert!(matches!(channel.fields[1].0, TypeName::Ref(_)));
    let again = parse_text(&print(&ast)).accepted();
    assert!(without_spans(again) == without_spans(ast));
}

#[test]
fn external_names_parse() {
    let text = "chan out (extern OUT !) = [0] of { byte }, in[2] (extern IN ?), both (extern BOTH); init { out!1 }";
    let ast = parse_text(text).accepted();
    let Unit::Declaration(declaration) = &ast.units[0] else { panic!("the first unit is a declaration") };
    let ports: Vec<(&str, Option<PortDirection>)> = declaration
        .variables
        .iter()
        .filter_map(|variable| variable.external.as_ref())
        .map(|external| (&*external.name.text, external.direction))
        .collect();
    let (send, receive) = (Some(PortDirection::Send), Some(PortDirection::Receive));
    assert_eq!(ports, [("OUT", send), ("IN", receive), ("BOTH", None)]);
    let ast = parse_text("byte x (extern X) = 2; init { byte extern; byte y\n (extern == x) }").accepted();
    let Unit::Declaration(declaration) = &ast.units[0] else { panic!("the first unit is a declaration") };
    assert!(declaration.variables[0].external.is_some());
}

#[test]
fn the_words_of_the_extensions_stay_plain_names() {
    let model = "\
byte ref, public, extern, _lid, anyRef, _undef_ref;
inline anyref(public) { public = 1 }
proctype P(byte ref; byte public) {
  ref = public;
  public++;
  extern == ref -> _undef_ref = anyRef + _undef_ref;
ref: skip;
public: goto ref;
  ref
  public
  anyref(ref)
}
";
    let ast = parse_text(model).accepted();
    let Unit::Proctype(proctype) = &ast.units[2] else { panic!("the third unit is a proctype") };
    let Step::Statement(Statement { kind: StatementKind::Assign(_, sum), .. }) = &proctype.body.steps[3] else {
        panic!("`_undef_ref` is assigned")
    };
    let ExprKind::Binary(_, left, right) = &sum.kind else { panic!("a sum") };
    assert!(matches!(left.kind, ExprKind::Variable(_)) && matches!(right.kind, ExprKind::Variable(_)));
}

#[test]
fn an_inline_called_like_an_extension_is_an_inline() {
    let ast = parse_text("byte x; inline anyRef(a) { x = a } init { anyRef(x) }").accepted();
    let Unit::Init(init) = &ast.units[2] else { panic!("the third unit is `init`") };
    let Step::Statement(statement) = &init.body.steps[0] else { panic!("a statement") };
    assert!(matches!(statement.kind, StatementKind::Call(_)));
}
