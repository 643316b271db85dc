/* order: 4
 * A variable is found through a reference that is found through a reference. */
active [2] proctype Client() { public bit v; end: v -> v = 0 }
active [2] proctype Server() { public ref Client c; c = anyRef(Client) }
active proctype Writer() { ref Server s; s = anyRef(Server); if :: Server[s].c != _undef_ref -> Client[Server[s].c].v = 1 :: else fi }
