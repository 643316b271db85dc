/*
 * Basic call: two subscribers and a switch that sets up one call at a time over one line.
 *
 * The fault: a subscriber that calls while the switch rings it waits for a tone that the switch, which waits for its answer, does not send.
 * Expected: an invalid end state.
 */
#ifndef N
#define N 2
#endif

mtype = { off_hook, on_hook, dial, tone, ring, talk, busy };
chan to_switch = [1] of { mtype, byte };
chan to[N] = [1] of { mtype };

active [N] proctype Subscriber() {
	byte me = _pid;
	do
	:: to_switch!off_hook, me;
danger_tone:
		to[me]?tone;
		to_switch!dial, me;
danger_calls:
		if
		:: to[me]?talk
		:: to[me]?busy
		fi;
		to_switch!on_hook, me
	:: to[me]?ring ->
		to_switch!off_hook, me;
		to[me]?talk;
		to_switch!on_hook, me
	od
}

active proctype Switch() {
	byte caller, called, _other;
	do
	:: to_switch?off_hook, caller;
		to[caller]!tone;
		to_switch?dial, eval(caller);
		called = (caller + 1) % N;
		to[called]!ring;
danger_answer:
		to_switch?off_hook, eval(called);
		to[called]!talk;
		to[caller]!talk;
		to_switch?on_hook, _other;
		to_switch?on_hook, _other
	od
}
