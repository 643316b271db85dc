/*
 * Two-phase commit: a coordinator asks all participants to vote, and commits if and only if all have voted yes.
 *
 * A participant that votes no has aborted by itself. The coordinator may fail after it has counted the votes, when it has told some of
 * the participants and not the others; then those who voted yes wait for ever, which is what the protocol is known for, and counts here as a
 * valid end. Expected: no error; no participant commits while another aborts. The participants are interchangeable: the coordinator
 * tells them its decision in any order, and what it does for all of them at first is one step.
 */
#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };

chan order[N] = [2] of { mtype };
chan vote = [N] of { mtype };
bool told[N];
byte committed, aborted;

active [N] proctype Participant() {
	order[_pid]?prepare;
	if
	:: vote!no; aborted++
	:: vote!yes;
end_blocked:
		if
		:: order[_pid]?commit -> committed++
		:: order[_pid]?abort -> aborted++
		fi
	fi;
	assert(committed == 0 || aborted == 0)
}

active proctype Coordinator() {
	byte i, voted, agreed;
	mtype decision = abort;
	d_step {
		for (i : 0 .. N - 1) {
			order[i]!prepare
		}
	}
	do
	:: voted < N ->
		if
		:: vote?yes -> agreed++
		:: vote?no
		fi;
		voted++
	:: else -> break
	od;
	if
	:: agreed == N -> decision = commit
	:: else
	fi;
	voted = 0;
	do
	:: voted < N ->
		atomic {
			select (i : 0 .. N - 1);
			if
			:: !told[i] -> order[i]!decision; told[i] = true; voted++
			:: else
			fi
		}
	:: break /* all are told, or the coordinator fails */
	od
}
