/* The examples of C99 6.10.3, and what is known to be hard. */
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
#undef x
#undef f
#undef g
#undef z
#undef t
#undef p
#undef q
#undef r
#undef m
#undef w
#undef h
#undef str
#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#undef f
#undef g
#define foo(x) bar x
foo(foo) (2)
#define AA BB
#define BB AA
AA BB
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define obj fun
#define fun(a) [a obj]
obj(1)(2) fun(fun(obj)(3))
#define f1(x) x f1
f1(1)(2)(3)
#define LP (
#define RP )
#define call(x) <x>
call LP 1 RP call LP 2)
NIL(call LP 1 RP) NIL(NIL(call) LP 3 RP)
#define EMPTY
#define DEFER(x) x EMPTY
#define EXPAND(x) x
DEFER(call)(1) EXPAND(DEFER(call)(1))
#define rec() DEFER(rec2)()() rec
#define rec2() rec
EXPAND(EXPAND(rec()))
call
(9) call
+ call
#define e1(x, y) {x;y}
e1((a,b),[c) e1(,) e1(a(b,c),d) e1( , x)
#define chain1 chain2 chain2
#define chain2 chain3 chain3
#define chain3 end
chain1
#define self self + self
self
#define late(x) x + undefined_yet
late(late(1))
#define undefined_yet now
late(late(1))
#undef late
late(1)
