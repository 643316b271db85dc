// The escape is tried before every statement.
byte x;
active proctype P() { { x = 1; x = 2; x = 3 } unless { x == 2; x = 9 } ; x = x + 1 }
