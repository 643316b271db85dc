// safety violated
// To follow no reference is an error, even if nobody needs the value.
active proctype P() { public bit x; end: false }
active proctype Q() { ref P r; bit unused; unused = P[r].x }
