/*
 * Requests in the manner of GIOP: clients send requests through an agent to an object, which may move from one server to the other. The server
 * that does not have it forwards the request.
 *
 * The fault: both servers may forward to each other at a time when both boxes are full.
 * Expected: an invalid end state.
 */
#ifndef USERS
#define USERS 4
#endif
#define SERVERS 2

mtype = { request, reply };
chan to_server[SERVERS] = [1] of { mtype, byte };
chan to_user[USERS] = [1] of { mtype };
byte home;

active [USERS] proctype User() {
	byte me = _pid, where;
	do
	:: where = home;
		to_server[where]!request, me;
danger_waits:
		to_user[me]?reply
	od
}

active [SERVERS] proctype Server() {
	byte me = _pid - USERS, who;
end:	do
	:: to_server[me]?request, who ->
		if
		:: home == me -> to_user[who]!reply
		:: home != me ->
danger_forwards:
			to_server[1 - me]!request, who
		fi
	:: home == me -> home = 1 - me
	od
}
