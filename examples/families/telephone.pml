/*
 * Two telephones that call each other over two rendezvous lines, as students of a course on reactive systems wrote them: ids 0 and 1 as
 * parameters, flags of each user in arrays, lines in an array.
 *
 * The users can be exchanged together with their lines and flags: the group has order 2.
 * Expected: a deadlock, in which both call: this is the first of the three versions, without acknowledgements.
 */
mtype = { alert, answer, cutoff, ack };
chan line[2] = [0] of { mtype };
bool idle[2] = true;
bool dialling[2], calling[2], ringing[2], talking[2];

#define OTHER (1 - id)

proctype User(byte id) {
	bool caller;
on_hook:
	assert(idle[id] && !talking[id]);
	if
	:: atomic { idle[id] = false; dialling[id] = true }; goto dial
	:: line[id]?alert -> atomic { idle[id] = false; ringing[id] = true }; goto ring
	fi;
dial:
	if
	:: line[OTHER]!alert -> atomic { dialling[id] = false; calling[id] = true; caller = true }; goto call
	:: atomic { dialling[id] = false; idle[id] = true }; goto on_hook
	:: line[id]?alert -> skip; goto dial
	fi;
call:
	if
	:: line[id]?answer -> atomic { calling[id] = false; talking[id] = true }; goto talk
	:: line[id]?cutoff -> goto clear
	:: line[id]?alert -> goto call
	fi;
ring:
	if
	:: line[OTHER]!answer -> atomic { ringing[id] = false; talking[id] = true }; goto talk
	:: line[OTHER]!cutoff -> goto clear
	fi;
talk:
	assert(!idle[id] && talking[id]);
	if
	:: line[OTHER]!cutoff -> goto clear
	:: line[id]?cutoff -> goto clear
	fi;
clear:
	atomic {
		dialling[id] = false; calling[id] = false; ringing[id] = false; talking[id] = false;
		idle[id] = true; caller = false
	};
	goto on_hook
}

init {
	atomic {
		run User(0);
		run User(1)
	}
}
