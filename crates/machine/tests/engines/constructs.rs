//! Every construct by itself: both engines on all states of a small model, and on states made at random from them.

use std::sync::Arc;

use machine::{FullChannels, Machine};

use crate::support::{Pair, Seen, read};

const STATES: usize = 400;

/// Compares the engines on a model, which must have this many errors on its reachable states at least.
fn agree(text: &str, errors: usize) -> Seen {
    agree_on(read(text), errors)
}

fn agree_on(machine: Arc<Machine>, errors: usize) -> Seen {
    // Long `atomic` sequences make the interpreter recurse deeply.
    let compare = move || Pair::new(machine).and_then(|mut pair| pair.compare_states(STATES));
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(compare).expect("a thread");
    let seen = thread.join().expect("no panic").unwrap_or_else(|difference| panic!("{difference}"));
    assert!(seen.states > 1 && seen.errors >= errors, "{seen:?}");
    seen
}

#[test]
fn arithmetic_wraps_and_division_by_zero_fails() {
    agree(
        "int a, b, c; short s; byte d; bit e; unsigned f : 3; unsigned g : 11; unsigned h : 20;
         active proctype P() { do
         :: a = a + 1073741823 :: a = -a :: b = ~a :: b = a * b :: b = a - b :: c = a / b :: c = a % b
         :: c = a / (0 - 1) :: c = a % (b - b - 1) :: c = (1 << 31) / (a - a - 1) :: c = 7 / 2 + 7 % 3 + (0-7) / 2 + (0-7) % 3
         :: c = a << b :: c = a >> b :: c = a << d :: c = 1 << 33 :: c = a & b | c ^ d
         :: c = (a < b) + (a <= b) * 2 + (a > b) * 4 + (a >= b) * 8 + (a == b) * 16 + (a != b) * 32
         :: c = !a + !!b :: s = a :: d = a :: e = a :: e = b :: f = a :: g = a :: h = a :: d = b + 300
         :: a = s + d + e + f + g + h
         :: a = (d > 3 -> b / d : c) :: (a / d > 1) :: (d && a / d > 1) :: (d == 0 || a % d) :: b = (a && b) + (a || c)
         od }",
        1,
    );
}

#[test]
fn indices_are_checked_in_every_dimension() {
    agree(
        "typedef In { byte x; short y[2] } typedef Out { In in[3]; bit b }
         byte i, j; byte a[4]; int w[5]; Out o[2]; bit t[2]; byte big[256];
         active proctype P() { byte l[3]; Out p; do
         :: i++ :: i = 0 :: j++ :: j = 0 :: a[i] = j + 1 :: a[1] = a[a[i]] :: w[i] = w[j] - 1 :: l[i] = a[l[j]]
         :: o[i].in[j].y[1] = a[i] :: o[1].in[j].x++ :: o[t[1]].b = 1 :: t[t[0]] = i :: big[i] = j :: a[i & 3] = 2 :: a[i % 4]++
         :: p.in[j].y[i] = 7 :: p.in[2].x = p.in[j].y[0] :: (a[i] == 0) :: (i < 4 && a[i] > 1)
         od }",
        1,
    );
}

#[test]
fn queues_keep_their_order_and_their_room_is_zero() {
    agree(
        "mtype = { red, green, blue }
         chan one = [1] of { byte }; chan few = [3] of { byte, short, mtype }; chan many = [300] of { byte };
         chan wide = [6] of { int, int, int, int }; chan bits = [2] of { bit, short }; byte x; int y, z; mtype m;
         active proctype P() { do
         :: one!x :: few!x,y,red :: few!1,2,m :: many!3 :: wide!x,y,3,-1 :: x++ :: y = y * 3 - 1
         :: (len(few) < 2) -> y = len(many) + len(wide) :: (full(one)) -> x = 0 :: (empty(few)) -> y = 1
         :: (nfull(wide)) -> x++ :: (nempty(wide)) -> y = len(one) :: m = green od }
         active proctype Q() { byte b; short s; do
         :: one?b :: few?b,s,m :: few?1,y,_ :: many?b :: wide?y,_,_,z :: bits!x,y :: bits?0,z :: few?x,eval(s),red :: one?<b> :: few?<b,s,green>
         :: (few?[1,s,red]) -> s++ :: (wide?[_,_,3,-1]) -> b++ :: wide?1,y,3,z od }",
        0,
    );
}

#[test]
fn sorted_sends_and_random_receives_agree() {
    agree(
        "chan q = [4] of { byte, short }; chan long = [20] of { short, int }; byte x; short y;
         active proctype P() { do :: q!!x,y :: q!!(y+3),x :: long!!y,x :: x = (x + 3) % 5 :: y = (y + 2) % 7 - 3 od }
         active proctype Q() { byte a; short b; do
         :: q??a,b :: q??2,b :: q??eval(x),b :: q??<a,eval(b)> :: q??<1,b> :: (q??[x,y]) -> a++ :: (q??[3,_]) -> b--
         :: long??b,a :: long??-1,b :: long?b,_ od }",
        0,
    );
}

#[test]
fn channels_in_variables_are_found_whatever_their_shape() {
    agree(
        "chan a = [2] of { byte }; chan b = [1] of { byte, short }; chan c = [0] of { byte }; chan d = [3] of { byte };
         chan v; chan w[2]; byte x; byte n;
         active proctype P() { byte y; short s; do
         :: v = a :: v = b :: v = c :: v = d :: v = w[n] :: w[0] = v :: w[1] = d :: n = 1 - n
         :: v!x :: v!x,y :: w[n]!3,4 :: v?y :: v?y,s :: v?1,s :: v??y,s :: v!!x,s :: x = len(v) :: (nfull(v)) -> x++
         :: (v?[y]) -> x-- :: (w[n]??[1]) -> x = 5 :: w[x]!1 od }
         active proctype Q() { byte y; do :: c?y :: v?y :: c!y :: v?eval(y),_ :: w[0]?<y> :: y++ od }",
        1,
    );
}

#[test]
fn a_rendezvous_is_taken_by_everyone_who_can() {
    agree(
        "chan c = [0] of { byte, short }; chan d = [0] of { byte }; byte x, y; byte arr[3];
         active proctype S() { do :: c!x,y :: c!1,x+y :: d!arr[x] :: x = (x + 1) % 5 :: atomic { c!2,2; y++; c!3,y } :: d!300 od }
         active [2] proctype R() { byte a; short b; do
         :: c?a,b :: c?1,b :: c?eval(y),_ :: atomic { c?a,b; arr[a] = b; d!a } :: d?arr[a] :: d?arr[0] od }
         active proctype T() { byte z; do :: d?z :: d?eval(arr[z]) :: c?z,arr[z] :: atomic { d?z; c?_,_; x = z } od }",
        1,
    );
}

#[test]
fn own_channels_come_and_go_with_their_process() {
    agree(
        "chan q = [2] of { chan }; byte n;
         proctype Client(byte id) { chan mine = [1] of { byte }; chan meet = [0] of { byte, byte }; byte got;
           q!mine; mine?got; q!meet; meet?eval(id),got; assert(got < 3); n = n + _nr_qs }
         active proctype Server() { chan to; chan spare[2] = [1] of { byte }; byte i; do
           :: q?to; if :: to!i :: to!i,2 :: to!1,1 :: spare[1]!i fi
           :: (n < 20 && _nr_pr < 4) -> run Client(i); i++
           :: spare[0]!1 :: spare[1]?i :: spare[i]?_ od }",
        1,
    );
}

#[test]
fn else_is_possible_when_nothing_else_is() {
    agree(
        "chan c = [0] of { byte }; chan q = [1] of { byte }; byte x, z;
         active proctype P() { do
         :: skip -> if :: (x > 2) -> x-- :: (x == 1) -> x = 3 :: else -> x++ fi
         :: skip -> if :: c!x :: else -> x = 0 fi
         :: skip -> if :: c!x :: (x > 1) :: else -> x++ fi
         :: skip -> if :: q!x -> q?_ :: else fi
         :: skip -> if :: c?x :: q?x :: else -> skip fi
         :: skip -> if :: (x / z > 1) :: else -> z = 1 fi
         :: skip -> if :: c!(x / z) :: else -> z = 1 - z fi
         :: skip -> do :: (x > 3) -> x = 0 :: if :: (x < 2) -> x++ :: else -> break fi :: (x == 7) -> x = 1 od
         od }
         active proctype Q() { byte y; do :: c?y :: (x == 2) -> c?3 :: q?y :: q!1 od }",
        1,
    );
}

#[test]
fn escapes_rule_out_the_rest() {
    agree(
        "chan c = [0] of { byte }; chan q = [1] of { byte }; byte x, y; bool stop;
         active proctype P() { do
         :: { x++; y = x; x = 0 } unless { stop -> stop = false }
         :: { do :: x++ :: (x > 3) -> break od } unless { (x > 4) -> x = 0 }
         :: { { x = 1; c!x } unless { c?y } } unless { q?y }
         :: atomic { { x = 2; y = 3; c!y } unless { (y == 3) -> y = 0 } }
         :: { x = 1 / y } unless { if :: (y == 0) -> skip :: c!1 -> skip :: else -> y-- fi }
         od }
         active proctype Q() { do :: stop = true :: c?_ :: c!2 :: q!1 :: d_step { y++; y = y % 5 } od }",
        0,
    );
}

#[test]
fn else_counts_what_was_possible_before_it_where_escapes_and_interpreted_edges_are() {
    agree(
        "byte x, y; chan c = [0] of { byte };
         active proctype P() { do
         :: { skip; if :: (x > 1) -> y++ :: c!x :: else -> y = 0 fi } unless { (y == 3) -> y = 1 }
         od }
         active proctype Q() { do :: x = (x + 1) % 3 :: (y < 2) -> c?x od }
         D_proctype R() { do :: (x == 1) -> y++ :: (x == 2) -> y-- :: else -> y = 3 od }
         active proctype S() { if :: run R() fi }",
        0,
    );
    agree(
        "byte x, y; active proctype P() { do
         :: skip -> if :: (x == 0) -> y-- :: set_priority(1, x) -> x++ :: (x == 3) -> x = 0 :: else -> x = 1 fi
         :: skip -> if :: (x > 1 && enabled(1)) -> x++ :: (x == 3) -> y-- :: else -> x = 0 fi od }
         active proctype Q() { do :: x = (x + 1) % 5 :: (y < 2) -> y++ od }",
        1,
    );
}

#[test]
fn d_steps_run_to_their_exits() {
    agree(
        "byte a[5]; byte x, y; chan q = [2] of { byte }; chan c = [0] of { byte };
         active proctype P() { byte i; do
         :: d_step { i = 0; do :: i < 5 -> a[i] = i * x; i++ :: else -> break od; i = 0 }
         :: d_step { (x > 1) -> x = 0; if :: y -> y-- :: y > 3 -> y = 0 :: else -> y = 2 fi }
         :: d_step { q?x; if :: (x > 1) -> q!0 :: q?y -> skip :: else -> skip fi; q!x; i = x; a[x] = 1 }
         :: d_step { if :: (x == 1) -> goto inside :: (x == 2) -> y++ fi; assert(y < 3); inside: y = y / x }
         :: d_step { x++; (x < 4) -> skip } :: d_step { c!1; x = 0 } :: d_step { x = 1; c?y } :: d_step { c?x } :: q!1
         :: d_step { do :: (x > 0) -> x-- :: else -> break od }
         :: d_step { do :: (x > 0) -> x--; if :: (x == 2) -> break :: else fi od }
         :: d_step { if :: (1 / x) -> y++ :: else -> y = 0 fi }
         od }
         active proctype Q() { do :: c?x :: c!2 :: q?_ od }",
        1,
    );
}

#[test]
fn an_endless_d_step_is_noticed() {
    agree("byte x; active proctype P() { d_step { do :: x = 1 - x od } } active proctype Q() { x = 2 }", 1);
}

#[test]
fn atomic_sequences_end_wherever_they_block() {
    agree(
        "byte x, y; chan c = [0] of { byte }; chan q = [1] of { byte };
         active proctype P() { do
         :: atomic { x++; if :: y++ :: y = 0 :: (y == 2) -> x = 0 fi; (y < 3); x = x % 4 }
         :: atomic { q!x; c!x; y = x } :: atomic { c?x; if :: q?y :: c!y fi; x = 1 } :: atomic { d_step { x = 0; y = 0 }; skip }
         :: atomic { if :: x > 0 -> do :: x > 0 -> x-- :: break od :: else fi; y = x } od }
         active proctype Q() { do :: c?_ :: c!1 :: q?_ :: atomic { c?y; y++; c!y; y++ } :: atomic { c!2; c!3; x++ } od }",
        0,
    );
}

#[test]
fn an_endless_atomic_has_no_transition() {
    agree(
        "byte x; active proctype P() { x = 1; atomic { do :: x = 1 :: x == 1 -> x = 2 :: (x == 2) -> break od }; x = 3 }",
        0,
    );
}

#[test]
fn what_goes_wrong_in_an_endless_atomic_is_counted_once() {
    agree(
        "byte x; active proctype P() { do :: x = (x + 1) % 2 :: atomic { x = 0; l: assert(x != 0); x = (x + 1) % 3; goto l }
         :: atomic { x = 1; assert(x == 0); m: if :: x == 1 -> x = 2 :: x == 1 -> x = 3 :: else fi; x = 1; goto m }
         :: atomic { x = 1; x = x / (x - 1); x = 2 } od }",
        3,
    );
}

#[test]
fn a_long_atomic_is_followed_to_its_end() {
    agree(
        "short x; active proctype P() { skip; atomic { do :: x < 1000 -> x++ :: else -> break od; x = 0 }; skip }",
        0,
    );
}

#[test]
fn processes_are_created_with_their_arguments_and_initial_values() {
    agree(
        "byte g = 3; byte count; int last;
         proctype Child(byte a; short b; bit c) { byte d = a + g; short e[12] = b; byte f = 7; chan own = [2] of { byte };
           chan other = own; int h = d / (a + 1); count++; other!d; own?g; count-- }
         proctype Failing(byte a) { byte b = g / a; b++ }
         active proctype P() { pid p; do
         :: (_nr_pr < 4) -> run Child(g, -2, 3) :: (_nr_pr < 4) -> p = run Child(p, g * 100, g)
         :: (_nr_pr < 3) -> last = run Failing(g) + 1
         :: g-- :: d_step { (_nr_pr < 3) -> g = 1 } :: atomic { (_nr_pr < 3) -> p = run Child(0, 1, 1); g = p; run Failing(1) }
         od }",
        1,
    );
}

#[test]
fn processes_created_inside_an_atomic_take_part_in_it() {
    agree(
        "chan meet = [0] of { byte }; chan q = [1] of { chan }; byte x, y;
         proctype Small() { meet?y; x++ }
         proctype Large(byte a) { chan own = [0] of { byte }; int room[4]; atomic { meet?room[1]; q!own; own?x } }
         active proctype P() { chan to; do
         :: (_nr_pr < 3) -> atomic { x = 1; if :: run Small() :: run Large(x) :: skip fi; y = _nr_qs; meet!x; x = _nr_pr }
         :: atomic { q?to; y = 0; to!y; x = 0 }
         od }",
        0,
    );
}

#[test]
fn there_are_at_most_255_processes_and_channels() {
    agree("proctype C() { false } active proctype P() { do :: run C() od }", 1);
    agree(
        "proctype C() { chan a = [1] of { byte }; chan b = [0] of { byte }; false } active proctype P() { do :: run C() od }",
        1,
    );
}

#[test]
fn timeout_comes_when_nothing_else_can() {
    agree(
        "byte x; chan c = [0] of { byte };
         active proctype P() { do :: timeout -> x = 0 :: (x < 3) -> x++ :: c!1 od }
         active proctype Q() { do :: atomic { (timeout && x == 3) -> x = 5; timeout; x = 1 } :: (x == 5) -> x = 2 od }
         active proctype R() { end: (x == 9) }",
        0,
    );
}

#[test]
fn provided_clauses_and_priorities_hold_processes_back() {
    agree(
        "byte x; byte z; chan c = [0] of { byte };
         active proctype A() provided (x < 2) { do :: x++ :: c!x :: x = 0 od }
         active proctype B() provided (x / z != 1) { byte y; do :: c?y :: x-- :: z = 1 - z od }
         active proctype C() provided (_nr_pr > 2) { do :: x = 3 :: x = 1 od }",
        1,
    );
    agree(
        "byte x; active proctype A() priority 3 { do :: (x < 2) -> x++ :: (x > 4) -> x = 0; set_priority(_pid, 1) od }
         active proctype B() priority 2 { do :: x++ :: set_priority(0, x) od }
         active proctype C() { do :: (get_priority(0) == 1) -> x = _priority :: run D() :: x = 0 od }
         proctype D() priority 5 { x = 1 }",
        1,
    );
}

#[test]
fn a_d_proctype_must_not_choose() {
    agree("byte x; D_proctype P() { do :: x++ :: (x > 2) -> x = 0 :: (x > 3) -> x = 1 od } init { run P(); x = 1 }", 1);
}

#[test]
fn other_processes_can_be_asked() {
    agree(
        "byte x; pid other;
         active proctype A() { byte v; here: v++; there: x = v; if :: (v < 3) -> goto here :: else fi; v = 0; goto here }
         active proctype B() { byte w; do
         :: (A@there) -> w = A:v :: (A[0]@here) -> x++ :: (A[other]@here) -> other = 1 - other :: w = A[other]:v
         :: (B[1]@here2) -> skip :: here2: x = pc_value(0) + _last :: (enabled(0)) -> w++ :: x = pc_value(x)
         :: other = (other + 1) % 4 :: w = _pid + _nr_pr  od }",
        0,
    );
}

#[test]
fn more_edges_than_a_word_has_bits_are_tried() {
    let options: String = (0..150).map(|n| format!(":: (x == {n}) -> y = {n} :: c?{n} -> x++ ")).collect();
    agree(
        &format!(
            "byte x, y; chan c = [0] of {{ byte }}; chan q = [1] of {{ byte }};
             active proctype P() {{ do {options} :: q?y :: else -> x++ od }}
             active proctype Q() {{ byte z; do :: c!z :: z = (z + 37) % 150 :: x = z :: q!z od }}"
        ),
        0,
    );
}

#[test]
fn printing_fails_when_an_argument_does() {
    agree(
        "mtype = { a, b } byte x; mtype m = a;
         active proctype P() { do :: printf(\"%d %e %%\", 1 / x, m) :: printf(\"no\", 1 / x) :: printm(m) :: x = 1 - x
         :: printf(\"%d\\n\", x) :: assert(x == 0) :: assert(1 / x) od }",
        1,
    );
}

#[test]
fn a_send_to_a_full_channel_may_lose_its_message() {
    let machine = read(
        "chan q = [2] of { byte }; chan c = [0] of { byte }; chan v; byte x;
         active proctype P() { v = q; do :: q!x :: q!!x :: v!x :: q!(1 / x) :: x = (x + 1) % 3 :: q?x :: c!1 od }
         active proctype Q() { do :: c?_ od }",
    );
    let machine = Machine { full_channels: FullChannels::Lose, ..Machine::clone(&machine) };
    agree_on(Arc::new(machine), 1);
}

#[test]
fn messages_may_be_longer_or_shorter_than_their_channel() {
    agree(
        "chan q = [2] of { byte, byte, byte }; chan c = [0] of { byte }; chan d = [2] of { byte, byte }; byte x, z; chan v;
         active proctype P() { byte y; do
         :: q!1,2,x :: d!1,2 :: v = q :: v = c :: v = d :: v!1,2,3 :: v!x :: v!x,y :: v?x :: v?x,y :: v?x,y,z :: v?1,2,x od }
         active proctype Q() { byte y; do :: c?y :: v?y :: v?y,z :: v?y,z,x :: c!y od }",
        1,
    );
}
