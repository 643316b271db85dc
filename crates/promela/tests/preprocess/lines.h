#define f(x) x
#define E
#define o obj
#define two first \
  second
a /*
*/ b
a/*
*/b
a/*
*/;
f(
1
)tail
f(
1
);
f(
1
) ;
f(
1
) f(2) o
o/*
*/E/*
*/f /*
*/(3) /*
*/ o
f
(4) x
f
x
a \
b
a \
+ o \
c \
f(z)
f(a /*
*/ /* */ b) o
f(f(1
) b) c
f(1
)f(2
)+f(3)
a\
; b
o\
; b
a\
+o b
a\
+f(1\
+2)+3 b
E\
+b
"a\
b"+c d
if\
f x
a\
+1/**/+c
two two
 two
E two E
E E

E
// comment \
continued
after // comment
f(two) f(
two
E
) f
# define g f
g
 (
 E
 )
g(f)
(8)
__LINE__ f(__LINE__
)
f(
__LINE__ __LINE__
)__LINE__
#define line __LINE__
line f(line
line)
f(f(
 line)
 __LINE__) line
#line 100 "other.h"
__LINE__ __FILE__
# 7 "third.h" 1 3
__LINE__ __FILE__ line
#define hundred 200
#line hundred
__LINE__ __FILE__
#define angle(x) <x>
angle(1) angle(2
#line 5
) behind
a angle
#line 9
(3) angle
#line 12
x
