/* Two-phase commit by messages: agents take the votes of the participants to a coordinator, who tells all agents the
   decision. It refines commit_spec.pml. With -D HASTY an agent whose participant voted against decides by itself at once:
   that is often done, and an observer sees it, because the decision may come before the other vote. */
chan vote[2] (extern VOTE) = [0] of { bit };
chan decide[2] (extern DECIDE) = [0] of { bit };
chan to_coordinator[2] = [1] of { bit };
chan to_agent[2] = [1] of { bit };

active [2] proctype Participant()
{
	if
	:: vote[_pid]!0
	:: vote[_pid]!1
	fi;
	decide[_pid]?_
}

active [2] proctype Agent()
{
	byte own = _pid - 2;
	bit ballot, decision;
	vote[own]?ballot;
	to_coordinator[own]!ballot;
#ifdef HASTY
	if
	:: ballot == 0 -> decide[own]!0; to_agent[own]?decision
	:: else -> to_agent[own]?decision; decide[own]!decision
	fi
#else
	to_agent[own]?decision;
	decide[own]!decision
#endif
}

active proctype Coordinator()
{
	bit first, second;
	to_coordinator[0]?first;
	to_coordinator[1]?second;
	to_agent[0]!(first && second);
	to_agent[1]!(first && second)
}
