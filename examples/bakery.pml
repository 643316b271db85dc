/*
 * Lamport's bakery: customers draw a number that is larger than all numbers they see, and the smallest number is served
 * first. Two customers may draw the same number; then the one with the smaller pid goes first.
 *
 * Numbers grow without bound while the shop is never empty, so in this model a customer that would draw more than MAX comes
 * back later. A byte that wraps around instead would break the algorithm.
 * Expected: no error.
 */
#ifndef N
#define N 2
#endif
#define MAX 4

bool choosing[N];
byte number[N];
byte served;

active [N] proctype Customer() {
	byte other, largest;
	do
	:: choosing[_pid] = true;
		largest = 0;
		for (other : 0 .. N - 1) {
			if
			:: number[other] > largest -> largest = number[other]
			:: else
			fi
		}
		if
		:: largest == MAX -> choosing[_pid] = false /* comes back later */
		:: else ->
			number[_pid] = largest + 1;
			choosing[_pid] = false;
			for (other : 0 .. N - 1) {
				(!choosing[other]);
				(number[other] == 0 || number[other] > number[_pid]
					|| (number[other] == number[_pid] && other >= _pid))
			}
			served++;
			assert(served == 1);
			served--;
			number[_pid] = 0
		fi
	od
}
