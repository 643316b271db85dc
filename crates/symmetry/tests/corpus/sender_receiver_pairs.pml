/* order: 6 */
#define N 3
chan d[N] = [1] of { bit }; chan a[N] = [1] of { bit };
proctype sender(byte i) { bit s, r; do :: d[i]!s; a[i]?r; if :: r == s -> s = 1 - s :: else fi od }
proctype receiver(byte i) { bit r; do :: d[i]?r; a[i]!r od }
init { byte i; atomic { for (i : 0 .. N - 1) { run sender(i); run receiver(i) } } }
