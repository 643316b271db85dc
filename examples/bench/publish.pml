/* Publishing and subscribing: users subscribe to topics with a server, which sends notices of every publication to the subscribers of its topic. Expected: no error. */
#ifndef USERS
#define USERS 2
#endif
#ifndef TOPICS
#define TOPICS 1
#endif
#ifndef L
#define L 1
#endif
mtype = { subscribe, unsubscribe, publish };

chan server = [L] of { mtype, byte, byte };
chan user[USERS] = [L] of { byte };
bit subscribed[USERS * TOPICS];

active proctype Server() {
	mtype kind;
	byte who, topic, k;
	do
	:: server?kind, who, topic ->
		if
		:: kind == subscribe -> subscribed[who * TOPICS + topic] = 1
		:: kind == unsubscribe -> subscribed[who * TOPICS + topic] = 0
		:: kind == publish ->
			k = 0;
			do
			:: k < USERS -> if :: subscribed[k * TOPICS + topic] -> user[k]!topic :: !subscribed[k * TOPICS + topic] fi; k++
			:: k == USERS -> break
			od
		fi;
		kind = 0; who = 0; topic = 0; k = 0
	od
}

proctype User(byte me) {
	byte topic, seen;
	bit pending;
	do
	:: nfull(server) && !pending ->
		if
		:: topic = 0
		:: TOPICS > 1 -> topic = 1 % TOPICS
		fi;
		if
		:: server!subscribe, me, topic
		:: server!unsubscribe, me, topic
		:: server!publish, me, topic
		:: user[me]?seen -> seen = 0
		fi;
		topic = 0
	:: user[me]?seen -> pending = 1; assert(seen < TOPICS); seen = 0; pending = 0
	od
}

init {
	byte i;
	atomic {
		do
		:: i < USERS -> run User(i); i++
		:: i == USERS -> break
		od;
		i = 0
	};
end:	false
}
