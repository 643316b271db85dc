/* order: 12, kept: 96
   Any client may hold any server: references are names of processes. Nobody reads `mine`, so that its values can be renamed for
   each client, as long as they are kept. */
chan hello = [0] of { ref Client, ref Server };
active [3] proctype Client() { ref Server mine; do :: hello!_lid, anyRef(Server) :: mine = anyRef(Server); mine = _undef_ref od }
active [2] proctype Server() { ref Client who; do :: hello?who, eval(_lid) -> assert(who != _undef_ref); who = _undef_ref od }
