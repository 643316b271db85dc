/*
 * Two-phase commit: a coordinator asks all participants to vote, and commits if and only if all have voted yes.
 *
 * A participant that votes no has aborted by itself. The coordinator may fail after it has counted the votes; then those
 * who voted yes wait for ever, which is what the protocol is known for, and counts here as a valid end. Expected: no error;
 * no participant commits while another aborts. The participants are interchangeable.
 */
#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };

chan order[N] = [2] of { mtype };
chan vote = [N] of { mtype };
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
	byte i, agreed;
	mtype decision = abort;
	for (i : 0 .. N - 1) {
		order[i]!prepare
	}
	for (i : 1 .. N) {
		if
		:: vote?yes -> agreed++
		:: vote?no
		fi
	}
	if
	:: agreed == N -> decision = commit
	:: else
	fi;
	for (i : 0 .. N - 1) {
		if
		:: order[i]!decision
		:: goto failed
		fi
	};
failed:	skip
}
