/* Clients of several priorities ask one allocator for a resource. Clients 0 and 1 have priority 0, clients 2 to 4 have
   priority 1, clients 5 and 6 have priority 2; with SHARING, clients 2, 3 and 4 also watch each other in a ring. */
mtype = { request, grant, release };
#define CLIENTS 7
chan link[CLIENTS] = [1] of { mtype };
chan nobody = [0] of { mtype };
byte priority_of[CLIENTS] = { 0, 0, 1, 1, 1, 2, 2 };
#define ASKS(c) (priority_of[c] == level && link[c]?[request])

proctype client(byte id) {
  do
  :: link[id]!request;
     link[id]?grant;
     link[id]!release;
     empty(link[id])
#ifdef SHARING
  :: id == 2 && link[3]?[grant] -> skip
  :: id == 3 && link[4]?[grant] -> skip
  :: id == 4 && link[2]?[grant] -> skip
#endif
  od
}

proctype allocator() {
  byte level;
  chan chosen = nobody;
  do
  :: level = 2;
     do
     :: atomic {
          if
          :: ASKS(0) -> chosen = link[0]; break
          :: ASKS(1) -> chosen = link[1]; break
          :: ASKS(2) -> chosen = link[2]; break
          :: ASKS(3) -> chosen = link[3]; break
          :: ASKS(4) -> chosen = link[4]; break
          :: ASKS(5) -> chosen = link[5]; break
          :: ASKS(6) -> chosen = link[6]; break
          :: else -> level = (level == 0 -> 2 : level - 1)
          fi
        }
     od;
     chosen?request; chosen!grant; chosen?release; chosen = nobody; level = 0
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CLIENTS -> run client(i); i++
    :: else -> break
    od;
    run allocator();
    i = 0
  }
}
