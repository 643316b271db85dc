/* order: 24 */
byte lock = 255;
active [4] proctype worker() { do :: atomic { lock == 255 -> lock = _pid }; skip; lock = 255 od }
