// safety violated
// Once P has taken its timeout nobody else can.
active proctype Q() { timeout; assert(false) }
active proctype P() { bit p; timeout; do :: p = 1 - p od }
