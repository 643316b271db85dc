/* order: 6
   inline and macros. */
#define OTHERS_IDLE(a, b) (st[a] == idle && st[b] == idle)
mtype = { idle, busy };
mtype st[3] = idle;
inline enter(me) { atomic { if :: me == 0 -> OTHERS_IDLE(1, 2) :: me == 1 -> OTHERS_IDLE(0, 2) :: me == 2 -> OTHERS_IDLE(0, 1) fi; st[me] = busy } }
inline leave(me) { st[me] = idle }
active [3] proctype p() { do :: enter(_pid); assert(st[_pid] == busy); leave(_pid) od }
