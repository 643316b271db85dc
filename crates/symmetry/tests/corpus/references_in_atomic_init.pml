/* order: 12
   init comes to its end, but is not the youngest and stays: nobody disappears, so that references to any server are alike. */
mtype = { request, release };
proctype Client() {
	ref Server mine;
	do
	:: mine = anyRef(Server); Server[mine].inbox!request, _lid; Server[mine].inbox!release, _lid
	od
}
proctype Server() {
	public chan inbox = [1] of { mtype, ref Client };
	ref Client owner;
	do
	:: inbox?request, owner -> inbox?release, owner
	od
}
init { atomic { run Server(); run Server(); run Client(); run Client(); run Client() } }
