/*
 * An elevator that serves calls on its way before it turns round.
 *
 * Expected: no error: the cabin moves with its door shut only. The property `served` says that a call from the top floor is answered. It is violated, even
 * under weak fairness: somebody who presses the button of the floor where the cabin stands, again and again, holds it there for ever.
 * With -D LAZY_DOOR the door may open while the cabin moves.
 */
#ifndef FLOORS
#define FLOORS 4
#endif

bool call[FLOORS];
byte at;
bool up = true, open, moving;

inline more_this_way(answer) {
	answer = false;
	i = 0;
	do
	:: i < FLOORS ->
		answer = answer || (call[i] && ((up && i > at) || (!up && i < at)));
		i++
	:: else -> break
	od;
	i = 0
}

active proctype Cabin() {
	byte i;
	bool more;
	do
	:: atomic { call[at] && !open && !moving -> open = true; call[at] = false }
	:: open -> open = false
	:: atomic {
		!call[at] && !open && !moving ->
		more_this_way(more);
		if
		:: more -> moving = true
		:: else -> up = !up; more_this_way(more);
			if
			:: more -> moving = true
			:: else -> up = !up
			fi
		fi;
		more = false
	}
	:: atomic {
		moving ->
		assert(!open);
		if
		:: up -> at++
		:: else -> at--
		fi;
		moving = false
	}
#ifdef LAZY_DOOR
	:: call[at] && !open -> open = true
#endif
	od
}

active [FLOORS] proctype Button() {
	do
	:: !call[_pid - 1] -> call[_pid - 1] = true
	od
}

ltl served { [](call[FLOORS - 1] -> <>(open && at == FLOORS - 1)) }
