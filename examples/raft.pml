/*
 * Leader election as in Raft: time is divided into terms, a server that hears of no leader begins a new term and asks for votes, a server
 * votes once in a term, and a majority makes a leader.
 *
 * Expected: no error. In each term there is at most one leader. With -D FORGET a server that restarts forgets for whom it voted (the vote is not
 * on disk), votes twice, and two servers lead in the same term.
 */
#ifndef N
#define N 3
#endif
#ifndef TERMS
#define TERMS 2
#endif
#define NOBODY 255

mtype = { follower, candidate, leader };

mtype role[N] = follower;
byte term[N];
byte vote[N] = NOBODY; /* in the present term */
byte leads[TERMS + 1] = NOBODY;

active [N] proctype Server() {
	byte votes, other;
	do
	:: atomic { /* no leader was heard of for too long */
		role[_pid] != leader && term[_pid] < TERMS ->
		term[_pid]++; vote[_pid] = _pid; role[_pid] = candidate
	}
	:: atomic { /* a request for a vote arrives */
		select (other : 0 .. N - 1);
		if
		:: other != _pid && role[other] == candidate && term[other] > term[_pid] ->
			term[_pid] = term[other]; vote[_pid] = other; role[_pid] = follower
		:: other != _pid && role[other] == candidate && term[other] == term[_pid] && vote[_pid] == NOBODY ->
			vote[_pid] = other
		:: else
		fi;
		other = 0
	}
	:: atomic { /* votes are counted */
		role[_pid] == candidate ->
		votes = 0; other = 0;
		do
		:: other < N ->
			if
			:: vote[other] == _pid && term[other] == term[_pid] -> votes++
			:: else
			fi;
			other++
		:: else -> break
		od;
		if
		:: votes > N / 2 ->
			role[_pid] = leader;
			assert(leads[term[_pid]] == NOBODY || leads[term[_pid]] == _pid);
			leads[term[_pid]] = _pid
		:: else
		fi;
		votes = 0; other = 0
	}
	:: atomic { /* a leader of a later term is heard of */
		select (other : 0 .. N - 1);
		if
		:: role[other] == leader && term[other] > term[_pid] ->
			term[_pid] = term[other]; vote[_pid] = other; role[_pid] = follower
		:: else
		fi;
		other = 0
	}
#ifdef FORGET
	:: atomic { /* the server restarts: its term is on disk, its vote is not */
		role[_pid] == follower -> vote[_pid] = NOBODY
	}
#endif
	od
}
