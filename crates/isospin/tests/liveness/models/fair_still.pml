/* expect never violated violated SPIN violated holds */
/* Both processes take their step again and again, which is fair, and the claim passes its accept label in every second state. With -f SPIN
   does not see it; it does if the step changes anything, or if there is one process only. */
bit g;

active [2] proctype P()
{
again:	if
	:: g == 0 -> goto again
	fi
}

never {
rest:	if
	:: g == 0 -> goto rest
	:: g == 0 -> goto accept_seen
	fi;
accept_seen:
	if
	:: g == 0 -> goto rest
	fi
}
