/*
 * Election of a leader by votes, in the manner of Raft: N servers, terms up to TERMS, a vote for each server in each term. Votes are
 * kept where they were given, and a candidate counts them in one step.
 *
 * Servers are interchangeable: the group is S(N).
 * Expected: no error: no term has two leaders.
 */
#ifndef N
#define N 3
#endif
#ifndef TERMS
#define TERMS 2
#endif
#define NOBODY N

mtype = { follower, candidate, leader };
mtype role[N] = follower;
byte term[N];
byte vote[N] = NOBODY;

proctype Server(byte id) {
	byte other, votes, leaders;
	do
	:: atomic { role[id] != leader && term[id] < TERMS ->
		term[id]++;
		role[id] = candidate;
		vote[id] = id
	}
	:: atomic {
		/* asked by any candidate with a later term, or with this one if no vote was given yet */
		select (other : 0 .. N - 1);
		if
		:: role[other] == candidate && term[other] > term[id] ->
			term[id] = term[other];
			role[id] = follower;
			vote[id] = other
		:: else
		fi;
		other = 0
	}
	:: d_step { role[id] == candidate ->
		other = 0;
		votes = 0;
		do
		:: other < N ->
			if
			:: vote[other] == id && term[other] == term[id] -> votes++
			:: else
			fi;
			other++
		:: else -> break
		od;
		other = 0;
		if
		:: 2 * votes > N -> role[id] = leader
		:: else
		fi;
		votes = 0
	}
	:: d_step { role[id] == leader ->
		other = 0;
		leaders = 0;
		do
		:: other < N ->
			if
			:: role[other] == leader && term[other] == term[id] -> leaders++
			:: else
			fi;
			other++
		:: else -> break
		od;
		other = 0;
		assert(leaders == 1);
		leaders = 0
	}
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Server(i)
		}
	}
}
