// A for loop whose bound the variable cannot reach does not end.
byte i;
active proctype P() { for (i : 254 .. 255) { skip } }
