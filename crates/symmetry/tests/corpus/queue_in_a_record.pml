/* order: 6
   Ids wait in an array that is a queue, with a counter. */
typedef Queue { byte e[3]; byte n };
Queue q;
byte inside = 9;
proctype P(byte id) {
  do
  :: d_step {
      inside != id && q.n < 3 && !((q.n > 0 && q.e[0] == id) || (q.n > 1 && q.e[1] == id) || (q.n > 2 && q.e[2] == id)) ->
        q.e[q.n] = id; q.n++
    }
  :: d_step { inside == 9 && q.n > 0 && q.e[0] == id -> inside = id; q.e[0] = q.e[1]; q.e[1] = q.e[2]; q.e[2] = 9; q.n-- }
  :: d_step { inside == id -> inside = 9 }
  od
}
init { atomic { q.e[0] = 9; q.e[1] = 9; q.e[2] = 9; run P(0); run P(1); run P(2) } }
