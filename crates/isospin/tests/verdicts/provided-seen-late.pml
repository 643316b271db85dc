// safety violated
bit go;
active proctype P() { go = 1; go = 0 }
active proctype Q() provided (go) { assert(false) }
