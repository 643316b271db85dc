/* Clients and servers that refer to each other. */
mtype = { request, release };

proctype Server() {
	public chan inbox = [4] of { mtype, ref Client };
	public bool busy;
	ref Client owner;
	ref Client who;
end:	do
	:: inbox?request,who -> if :: !busy -> busy = true; owner = who :: else -> skip fi
	:: inbox?release,who -> if :: who == owner -> busy = false; owner = _undef_ref :: else -> skip fi
	od
}

proctype Client() {
	ref Server mine;
	do
	:: mine = anyRef(Server); Server[mine].inbox!request,_lid
	:: mine != _undef_ref && Server[mine].busy -> Server[mine].inbox!release,_lid; mine = _undef_ref
	od
}

init { run Server(); run Server(); run Client(); run Client() }
