// safety holds
// Nothing but the endless sequence happens, and that is no deadlock.
active proctype P() { bit x; x = 1; atomic { do :: x = 1 - x od } }
