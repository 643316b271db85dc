/* Readers and writers of a record in two halves: readers count themselves under a lock, the first and the last of them take and give the record. Expected: no error. */
#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte lock, record;
byte reading;
bit left, right;

proctype Reader() {
	bit a;
	do
	:: atomic { lock == 0; lock = 1 };
		reading++;
		if
		:: reading == 1 -> atomic { record == 0; record = 1 }
		:: reading != 1
		fi;
		lock = 0;
		a = left;
		assert(a == right);
		a = 0;
		atomic { lock == 0; lock = 1 };
		reading--;
		if
		:: reading == 0 -> record = 0
		:: reading != 0
		fi;
		lock = 0
	od
}

proctype Writer() {
	bit v;
	do
	:: atomic { record == 0; record = 1 };
		v = 1 - left;
		left = v;
		right = v;
		v = 0;
		record = 0
	od
}

init {
	byte i;
	atomic {
		do
		:: i < READERS -> run Reader(); i++
		:: i == READERS -> break
		od;
		i = 0;
		do
		:: i < WRITERS -> run Writer(); i++
		:: i == WRITERS -> break
		od;
		i = 0
	};
end:	false
}
