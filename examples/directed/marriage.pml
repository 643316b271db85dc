/*
 * Stable marriage by messages: suitors propose in the order of their liking, and every proposal is answered; who is refused goes on to the
 * next. Who is asked keeps the better of two suitors and refuses the other one.
 *
 * The fault: a suitor that is dropped after it was accepted is told so only while its box has room.
 * Expected: an invalid end state: a suitor waits for an answer that was never sent.
 */
#ifndef N
#define N 4
#endif
#define NOBODY N

mtype = { yes, no };
chan box[N] = [1] of { mtype };
chan proposal[N] = [N] of { byte };

active [N] proctype Suitor() {
	byte me = _pid, next;
	do
	:: next == N -> break /* nobody is left to ask */
	:: else ->
		proposal[next]!me;
		if
		:: box[me]?yes;
end_married:		box[me]?no
		:: box[me]?no
		fi;
		next++
	od
}

active [N] proctype Asked() {
	byte me = _pid - N, partner = NOBODY, suitor;
end:	do
	:: proposal[me]?suitor ->
		if
		:: partner == NOBODY -> partner = suitor; box[suitor]!yes
		:: partner != NOBODY && (suitor + me) % N < (partner + me) % N ->
			if /* the one before is dropped */
			:: nfull(box[partner]) -> box[partner]!no
			:: full(box[partner]) -> skip
			fi;
			partner = suitor;
			if
			:: box[suitor]!yes
			:: skip /* an answer that is lost */
			fi
		:: else -> box[suitor]!no
		fi
	od
}
