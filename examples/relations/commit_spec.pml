/* What two-phase commit is for: everybody learns the same decision, and it is to commit only if all voted for it.
   A decision is made at once here; two_phase_commit.pml comes to it by messages. */
chan vote[2] (extern VOTE) = [0] of { bit };
chan decide[2] (extern DECIDE) = [0] of { bit };

active [2] proctype Participant()
{
	if
	:: vote[_pid]!0
	:: vote[_pid]!1
	fi;
	decide[_pid]?_
}

active proctype Service()
{
	bit first, second;
	if
	:: vote[0]?first -> vote[1]?second
	:: vote[1]?second -> vote[0]?first
	fi;
	if
	:: decide[0]!(first && second) -> decide[1]!(first && second)
	:: decide[1]!(first && second) -> decide[0]!(first && second)
	fi
}
