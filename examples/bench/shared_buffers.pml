/* Buffers between writers ("slaves") and readers ("masters") of different speed, after the multiprocessor shared memory interface MSMIE: a buffer is idle, newest,
   assigned to the writer, or held by readers. Expected: no error. */
#ifndef BUFFERS
#define BUFFERS 3
#endif
#ifndef MASTERS
#define MASTERS 2
#endif
#ifndef SLAVES
#define SLAVES 1
#endif
mtype = { idle, newest, slave, master };

mtype status[BUFFERS] = idle;
byte readers;

proctype Slave() {
	byte i, mine;
	do
	:: mine = BUFFERS;
		atomic {
			i = 0;
			do
			:: i < BUFFERS && status[i] == idle -> status[i] = slave; mine = i; break
			:: i < BUFFERS && status[i] != idle -> i++
			:: i == BUFFERS -> break
			od;
			i = 0
		};
		if
		:: mine < BUFFERS ->
			skip;
			atomic {
				i = 0;
				do
				:: i < BUFFERS -> if :: status[i] == newest -> status[i] = idle :: else fi; i++
				:: else -> break
				od;
				assert(status[mine] == slave);
				status[mine] = newest;
				i = 0; mine = 0
			}
		:: mine == BUFFERS
		fi
	od
}

proctype Master() {
	byte i, mine;
	do
	:: mine = BUFFERS;
		atomic {
			i = 0;
			do
			:: i < BUFFERS && status[i] == master -> mine = i; readers++; break
			:: i < BUFFERS && status[i] != master -> i++
			:: i == BUFFERS -> break
			od;
			if
			:: mine == BUFFERS ->
				i = 0;
				do
				:: i < BUFFERS && status[i] == newest -> status[i] = master; mine = i; readers++; break
				:: i < BUFFERS && status[i] != newest -> i++
				:: i == BUFFERS -> break
				od
			:: else
			fi;
			i = 0
		};
		if
		:: mine < BUFFERS ->
			skip;
			assert(status[mine] == master);
			atomic {
				readers--;
				if
				:: readers == 0 -> status[mine] = idle
				:: else
				fi;
				mine = 0
			}
		:: mine == BUFFERS
		fi
	od
}

init {
	byte i;
	atomic {
		do
		:: i < MASTERS -> run Master(); i++
		:: i == MASTERS -> break
		od;
		i = 0;
		do
		:: i < SLAVES -> run Slave(); i++
		:: i == SLAVES -> break
		od;
		i = 0
	};
end:	false
}
