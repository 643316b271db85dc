/* order: 6 */
byte a, b, c; byte lock;
proctype w() { do :: atomic { lock == 0 -> lock = _pid }; lock = 0 od }
init { atomic { a = run w(); b = run w(); c = run w() } }
