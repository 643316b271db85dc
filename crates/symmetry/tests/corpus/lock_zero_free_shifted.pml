/* order: 6 */
byte lock;
active [3] proctype worker() { do :: atomic { lock == 0 -> lock = _pid + 1 }; assert(lock == _pid + 1); lock = 0 od }
