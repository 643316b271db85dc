// safety violated
// The sum is read by nobody, but whether computing it fails depends on another variable.
byte a[1]; bool b; byte sum;
active proctype W() { b = true }
active proctype P() { sum = (b && a[_pid]) }
