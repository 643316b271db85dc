#define A 1
#define ZERO 0
#define EMPTY
#define F(x) x
#if A
a1
#elif 1/0
never
#else
a2
#endif
#if ZERO
b1
it's text that isn't read, with "quotes /* and
a comment /*
#endif is here */
#unknown directive
#else
b2
#endif
#ifdef A
#ifndef A
c1
#else
c2
#if 0
#if 1
no
#else
no
#endif
#elif defined A && !defined(B)
c3
#elif nonsense (
#endif
#endif
#endif
#if defined A && F(3) == 3 && (2 || 1/0) && !(0 && 1/0) && (1 ? 2 : 1/0)
d1
#endif
#if -1 > 0u
e1
#endif
#if 'a' == 97 && '\n' == 10 && '\377' < 0 && '\x41' == 65 && '\\' == 92
e2
#endif
#if 0x7FFFFFFFFFFFFFFF + 1 < 0 || 0xFFFFFFFFFFFFFFFF > 0
e3
#endif
#if 010 == 8 && 0x10 == 16 && 10L == 10 && 10ull == 10
e4
#endif
#if (1, 0) || 2 - 1 - 1 || 1 << 2 + 1 != 8 || (7 & 3 == 3) != 1
e5
#endif
#if undefined_name || F
e6
#endif
#if 1 // comment
e7
#endif /* comment */
  #  if  1 /* a
  comment over lines */ && 1
e8
  # \
  endif
#define has defined A && defined B
#if has
e9
#else
e10
#endif
#if defined EMPTY
e11
#endif
#
# /* null */
#define redefine 1
#undef redefine
#define redefine 2
redefine
#undef never_defined
#if __LINE__ == 85 && defined __FILE__ && defined __LINE__
line __LINE__
#endif
F(
#if A
yes
#else
no
#endif
#define inside 1
#undef A
) inside A
#ifdef A
f1
#elif 1
f2
#elif 1
f3
#endif
#ifdef A
g1
#elifdef EMPTY
g2
#endif
#if 0
#elif 0
#else
h1
#endif
#if 0
'
#endif
#if 0
"unclosed
#else
i1
#endif
