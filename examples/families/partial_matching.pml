/*
 * Clients and servers in pairs, the measured system of Derepas and Gastin in their language: a client asks for any server that is free, each remembers
 * the other while they work, and they part. A client is idle, asks or rests when it has no server, and is greeted, served or done when it has one.
 * Clients set the variable of the server that they have found through a reference.
 *
 * The group is S(N) x S(N). There are sum over k of C(N,k)^2 k! 3^N states (63, 918, 16,929, 375,678 for N = 2 to 5) and C(N+5,5) orbits: 21, 56, 126, 252.
 * Expected: no error.
 */
#ifndef N
#define N 3
#endif

active [N] proctype Server() {
	public ref Client client; /* whom it works for */
end:	false
}

active [N] proctype Client() {
	public ref Server server;
	do
	:: true;
asks:		atomic {
			server = anyRef(Server);
			if
			:: Server[server].client == _undef_ref -> Server[server].client = _lid
			:: else -> server = _undef_ref; goto asks
			fi
		};
		/* greeted */ assert(Client[Server[server].client].server == server);
		/* served */ assert(Server[server].client == _lid);
		/* done */ atomic { Server[server].client = _undef_ref; server = _undef_ref };
		/* rests */ true
	od
}
