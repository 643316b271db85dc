/* order: 4
 * Servers and clients set each other's variables, and come to an end: they stay there. */
active [2] proctype Server() { public byte load; ref Client c; c = anyRef(Client); if :: Client[c].state == 1 -> load++ :: else fi }
active [2] proctype Client() { public byte state; ref Server s; s = anyRef(Server); Server[s].load = 0; state = 1 }
