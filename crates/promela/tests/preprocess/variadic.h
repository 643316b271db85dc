#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
debug();
showlist(The first, second, and third items.);
showlist();
report(x>y, "x is %d but y is %d", x, y);
#define v(a,...) [a,##__VA_ARGS__] [a,__VA_ARGS__]
v(1) v(1,) v(1,2,3) v() v(,) v(,,) v((1,2),(3,4))
#define w(...) [a,##__VA_ARGS__] [a , ## __VA_ARGS__] [__VA_ARGS__]
w() w(1) w(1,2) w(,) w( )
#define named(f, args...) f(#args, ## args)
named(f) named(f,) named(f, 1, 2)
#define N 3
#define inner(a, b, ...) <a|b|__VA_ARGS__>
#define outer(...) inner(__VA_ARGS__)
outer(1, 2) outer(1, N, N, 4) outer(N, (N, N)) outer(v(1), w(N, 2))
#define glued(x, ...) x ## __VA_ARGS__ ## _end
glued(a) glued(a,) glued(a, b, c) glued(, b)
v(1, v(2), v(3, 4)) w(w(1, 2), w(3))
#define count(...) pick(__VA_ARGS__, 3, 2, 1, 0)
#define pick(a, b, c, n, ...) n
count(a) count(a, b) count(a, b, c)
#define opt(fmt, rest...) print(fmt , ## rest) print(fmt rest)
opt("a") opt("a", 1) opt("a", N, opt("b"))
