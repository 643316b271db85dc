// safety violated
// The variable is found through a reference in a variable that is found through a reference.
active [2] proctype Client() { public bit v; if :: v -> assert(_pid != 1) :: else fi }
active proctype Server() { public ref Client c; c = anyRef(Client) }
active proctype W() { ref Server s; s = anyRef(Server); if :: Server[s].c != _undef_ref -> Client[Server[s].c].v = 1 :: else fi }
