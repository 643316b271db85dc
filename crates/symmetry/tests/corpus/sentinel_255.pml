/* order: 24
   255 for nobody. */
#define NONE 255
byte lock = NONE;
byte last = NONE;
active [4] proctype p() {
  do
  :: atomic { lock == NONE && last != _pid -> lock = _pid };
     assert(lock == _pid);
     atomic { last = lock; lock = NONE }
  od
}
