// safety violated; p unknown
// Runs that end in an error before the property is decided.
byte g; byte a[2]; byte i = 2;
active proctype P() { a[i] = 1; g = 1 }
ltl p { <> (g == 1) }
