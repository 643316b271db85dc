#define str(x) #x
#define xstr(x) str(x)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
str(strncmp("abc\0d", "abc", '\4') == 0) str(: @\n)
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
str(  a   b  ) str(a/* */b) str(a
b
   c) str("quoted \" \\ text" 'c' '"' '\'') str() str( )
xstr(HIGHLOW) xstr(LOW) xstr(glue(a, b))
#define two(a, b) a##b a ## b #a#b # a # b
two(x y, z w) two(, z) two(x,) two(,)
glue(0, x1F) glue(1, e) glue(x, 010) glue(-, >) glue(+, +) glue(<, <) glue(=, =) glue(&, &) glue(|, |)
#define num 2N 0xN 1_N
#define N 7
num
#define E
xstr(a E b) xstr(a E;) xstr([E x]) xstr(E) xstr(E E) xstr(f(E)) xstr( E a)
#define id(x) x
xstr(id()a) xstr(id( )a) xstr(a id()) xstr(id(a)id(b)) xstr(id(a) id(b)) xstr(<id( a )>) xstr(id(id(E) x)y)
#define around(x) [x] [ x ] [x x]
xstr(around()) xstr(around(1)) xstr(around(E)) xstr(around( E 1 E ))
#define obj a ## b
#define ab AB
obj xstr(obj)
#define painted painted glue(pain, ted) xglue(pain, ted)
painted
#define arg(x) #x x ## 1 1 ## x x
arg(N) arg(ab) arg(obj)
str(#) str(##) str(a # b ## c)
#define hash(x) #x
hash(hash(a)) id(hash)(b)
"#N" '#' "N" 'N'
