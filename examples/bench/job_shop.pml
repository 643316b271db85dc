/* Jobs of several operations on machines of a shop: each job takes the machines in an order of its own, one at a time. Expected: no error. */
#ifndef JOBS
#define JOBS 3
#endif
#ifndef MACHINES
#define MACHINES 3
#endif
#ifndef WORK
#define WORK 2
#endif

byte user[MACHINES];
byte finished;

proctype Job(byte me) {
	byte step, machine, work;
	do
	:: step < MACHINES ->
		machine = (me + step) % MACHINES;
		atomic { user[machine] == 0; user[machine] = me + 1 };
		do
		:: work < WORK -> work++
		:: work == WORK -> work = 0; break
		od;
		assert(user[machine] == me + 1);
		user[machine] = 0;
		machine = 0;
		step++
	:: step == MACHINES -> break
	od;
	finished++
}

init {
	byte i;
	atomic {
		do
		:: i < JOBS -> run Job(i); i++
		:: i == JOBS -> break
		od;
		i = 0
	};
	finished == JOBS
}
