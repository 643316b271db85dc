// Once the escape has begun, its later statements wait without going back.
byte x, y;
active proctype P() { { y = 1; y = 2 } unless { x == 1; x == 2; y = 9 } }
active proctype Q() { x = 1; skip; x = 2 }
