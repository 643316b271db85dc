/* order: 6 */
byte lock;
proctype worker() { do :: atomic { lock == 0 -> lock = _pid }; assert(lock == _pid); lock = 0 od }
init { atomic { run worker(); run worker(); run worker() } }
