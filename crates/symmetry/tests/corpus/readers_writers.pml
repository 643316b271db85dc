/* order: 12 */
byte readers; bit writing;
active [3] proctype reader() { do :: atomic { !writing -> readers++ }; readers-- od }
active [2] proctype writer() { do :: atomic { !writing && readers == 0 -> writing = 1 }; writing = 0 od }
