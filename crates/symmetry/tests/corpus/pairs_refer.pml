/* order: 24, kept: 6
 * Processes pick partners and hold references to each other; partners are dissolved again. */
#define N 4
byte partner[N] = 255;
active [N] proctype P() {
  byte p = 0;
  do
  :: atomic { partner[_pid] == 255 ->
       if
       :: p = 0 :: p = 1 :: p = 2 :: p = 3
       fi;
       if
       :: p != _pid && partner[p] == 255 -> partner[_pid] = p; partner[p] = _pid
       :: else
       fi; p = 0 }
  :: atomic { partner[_pid] != 255 -> p = partner[_pid]; assert(partner[p] == _pid); partner[p] = 255; partner[_pid] = 255; p = 0 }
  od
}
