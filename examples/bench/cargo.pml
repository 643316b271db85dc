/* Trucks that move boxes between places: every truck takes and leaves boxes where it stands; all interleavings of their moves. Expected: no error. */
#ifndef TRUCKS
#define TRUCKS 2
#endif
#ifndef BOXES
#define BOXES 3
#endif
#ifndef PLACES
#define PLACES 3
#endif

byte box[BOXES];
bit busy[PLACES];

proctype Truck(byte me) {
	byte at, load, next;
	load = BOXES;
	do
	:: next = (at + 1) % PLACES; at = next; next = 0
	:: load == BOXES ->
		atomic { !busy[at] -> busy[at] = 1 };
		if
		:: box[0] == at -> load = 0
		:: BOXES > 1 && box[1 % BOXES] == at -> load = 1 % BOXES
		:: BOXES > 2 && box[2 % BOXES] == at -> load = 2 % BOXES
		:: BOXES > 3 && box[3 % BOXES] == at -> load = 3 % BOXES
		:: skip
		fi;
		if
		:: load != BOXES -> assert(box[load] == at); box[load] = PLACES + me
		:: load == BOXES
		fi;
		busy[at] = 0
	:: load != BOXES -> box[load] = at; load = BOXES
	od
}

init {
	byte i;
	atomic {
		do
		:: i < TRUCKS -> run Truck(i); i++
		:: i == TRUCKS -> break
		od;
		i = 0
	};
end:	false
}
