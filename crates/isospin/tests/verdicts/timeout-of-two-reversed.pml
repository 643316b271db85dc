// safety violated
active proctype P() { bit p; timeout; do :: p = 1 - p od }
active proctype Q() { timeout; assert(false) }
