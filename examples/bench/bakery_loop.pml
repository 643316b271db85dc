/* The bakery with numbers that are drawn and compared step by step, one customer after the other; numbers stop at MAX. Expected: no error. */
#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 5
#endif

bit choosing[N];
byte number[N];
byte inside;

active [N] proctype Customer() {
	byte j, largest;
	do
	:: choosing[_pid] = 1;
		j = 0; largest = 0;
		do
		:: j < N -> if :: number[j] > largest -> largest = number[j] :: else fi; j++
		:: j == N -> break
		od;
		if
		:: largest < MAX -> number[_pid] = largest + 1; choosing[_pid] = 0
		:: largest >= MAX -> choosing[_pid] = 0; goto later
		fi;
		j = 0;
		do
		:: j < N ->
			choosing[j] == 0;
			number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid);
			j++
		:: j == N -> break
		od;
		inside++; assert(inside == 1); inside--;
		number[_pid] = 0;
later:		skip
	od
}
