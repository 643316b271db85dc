/*
 * An optical telegraph: a ring of stations, each with a shutter. Who has a message for the next station raises its own shutter, waits until
 * the next station has raised its own in answer, signals, and both lower them again.
 *
 * Expected: an invalid end state, when every station has raised its shutter to send and none is left to answer.
 */
#ifndef N
#define N 6
#endif

chan call[N] = [1] of { bit };
chan answer[N] = [1] of { bit };
bool free[N] = true;

active [N] proctype Station() {
	byte me = _pid;
	do
	:: atomic { free[me] -> free[me] = false }; /* as a sender */
		call[(me + 1) % N]!1;
danger_waits:
		answer[me]?1;
		free[me] = true
	:: atomic { nempty(call[me]) && free[me] -> free[me] = false; call[me]?1 }; /* as a receiver */
		answer[(me + N - 1) % N]!1;
		free[me] = true
	od
}
