/* order: 24
   User ids from 0; a lock held by id, N when free. */
#define N 4
byte owner = N;
byte want[N];
proctype user(byte id) {
  do
  :: want[id] = 1;
     atomic { owner == N -> owner = id }
     assert(owner == id);
     want[id] = 0;
     owner = N
  od
}
init { atomic { run user(0); run user(1); run user(2); run user(3) } }
