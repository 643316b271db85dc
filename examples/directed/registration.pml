/*
 * Registration in the manner of GARP: applicants join and leave a group at a registrar, which sends a leave-all now and then; whoever wants to
 * stay has to join again.
 *
 * The fault: the registrar waits for an acknowledgement of each leave-all, and applicants that just leave do not send one.
 * Expected: an invalid end state.
 */
#ifndef N
#define N 3
#endif

mtype = { join, leave, leave_all, confirm };
chan to_registrar = [2] of { mtype, byte };
chan to[N] = [1] of { mtype };

active [N] proctype Applicant() {
	byte me = _pid;
	bool member;
	do
	:: !member -> to_registrar!join, me; member = true
	:: member -> to_registrar!leave, me; member = false
	:: to[me]?leave_all ->
		if
		:: member -> to_registrar!confirm, me
		:: !member -> skip
		fi
	od
}

active proctype Registrar() {
	byte members, _who, i;
	do
	:: to_registrar?join, _who -> members++
	:: to_registrar?leave, _who -> members--
	:: to_registrar?confirm, _who -> skip
	:: members == N ->
		i = 0;
		do
		:: i < N -> to[i]!leave_all; i++
		:: else -> break
		od;
danger_collects:
		do
		:: i > 0 -> to_registrar?confirm, _who; i--
		:: else -> break
		od
	od
}
