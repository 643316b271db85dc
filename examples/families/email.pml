/*
 * N clients send letters to each other, or to themselves, through one network of two places; a mailer takes them to mailboxes.
 *
 * The clients are interchangeable: the group is S(N), and letters, mailboxes and the network hold their names. Expected: no
 * error. 23256 and 852641 states for N = 3 and 4, in 3902, 36255 and, for N = 5, 265315 orbits.
 */
#ifndef N
#define N 3
#endif
#include "each.h"
#define SEND_TO(c) :: receiver = c
#define BOX_OF(c) :: receiver == c -> box = mailbox[c]

chan nobody = [0] of { pid, pid };
chan mailbox[N + 1] = [1] of { pid, pid };
chan network = [2] of { pid, pid };
byte ready;

proctype Client(chan own) {
	pid sender, receiver;
	chan out = nobody;
	d_step { out = network; ready++ };
	do
	:: atomic {
		ready == N && (nempty(own) || nfull(out));
		if
		:: nempty(own) ->
			own?sender, receiver;
			assert(receiver == _pid);
			sender = 0;
			receiver = 0
		:: empty(own) && nfull(out) ->
			if
			EACH(SEND_TO)
			fi;
			d_step { out!_pid, receiver; receiver = 0 }
		fi
	}
	od
}

proctype Mailer() {
	pid sender, receiver;
	chan box = nobody;
	do
	:: atomic {
		network?sender, receiver;
		if
		EACH(BOX_OF)
		fi
	};
		atomic {
			box!sender, receiver;
			box = nobody;
			sender = 0;
			receiver = 0
		}
	od
}

init {
	byte i;
	atomic {
		for (i : 1 .. N) {
			run Client(mailbox[i])
		}
		run Mailer()
	}
}
