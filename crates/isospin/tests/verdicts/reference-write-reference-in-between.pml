// safety violated
// A reference through which a variable is set is changed before it is used.
active [2] proctype Client() { public bit v; end: if :: v -> assert(_pid == 0) fi }
active proctype Server() { public ref Client c; ref Client d; c = anyRef(Client); d = anyRef(Client); end: if :: c != d -> assert(d != _undef_ref); Client[c].v = 1 fi }
active proctype W() { ref Server s; s = anyRef(Server); Server[s].c = anyRef(Client) }
