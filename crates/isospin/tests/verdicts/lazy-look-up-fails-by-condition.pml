// safety violated
// The same with a conditional expression.
byte a[1]; bool b; byte sum;
active proctype W() { b = true }
active proctype P() { sum = (b -> a[_pid] : 0) }
