/*
 * Clients and servers that hold references to each other, after Derepas and Gastin: a client asks any server, which serves one
 * client at a time and refuses others. References cannot be computed with, so that nothing breaks the symmetry.
 *
 * The group is S(N) x S(SERVERS).
 * Expected: no error.
 */
#ifndef N
#define N 2
#endif
#ifndef SERVERS
#define SERVERS 2
#endif

mtype = { request, release };

active [SERVERS] proctype Server() {
	public chan inbox = [1] of { mtype, ref Client };
	ref Client owner, who;
end:	do
	:: inbox?request, who ->
		if
		:: owner == _undef_ref -> owner = who; Client[who].answer!true
		:: else -> Client[who].answer!false
		fi
	:: inbox?release, who ->
		assert(who == owner);
		owner = _undef_ref
	od
}

active [N] proctype Client() {
	public chan answer = [1] of { bool };
	ref Server mine;
	bool granted;
	do
	:: mine = anyRef(Server);
		Server[mine].inbox!request, _lid;
		answer?granted;
		if
		:: granted -> Server[mine].inbox!release, _lid
		:: else
		fi;
		mine = _undef_ref
	od
}
