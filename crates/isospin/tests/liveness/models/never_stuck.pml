/* expect never holds holds SPIN violated holds */
/* Once g is 1 the claim enters its atomic and is stuck there, so no run passes the accept label again and again. SPIN leaves the state
   at which the claim was stuck marked as on its stack, meets it again on another way, and takes that for a cycle; the trail it writes has none. */
bit g, h;

active [2] proctype P()
{
	if
	:: skip
	:: atomic { g = 1; h == 1 }
	fi
}

never {
accept_rest:
	if
	:: g == 0
	:: atomic { g == 1 -> h == 1 }
	fi;
wait:	if
	:: g == 1 -> goto accept_rest
	:: else -> goto wait
	fi
}
