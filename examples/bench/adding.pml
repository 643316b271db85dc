/* A puzzle: two processes add a shared number to itself through a local copy; which numbers can be reached? Numbers stop at MAX. Expected: no error. */
#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 50
#endif

short c = 1;

active [N] proctype Adder() {
	short x;
end:	do
	:: c <= MAX; x = c; x = x + c; c = x; x = 0
	od
}
