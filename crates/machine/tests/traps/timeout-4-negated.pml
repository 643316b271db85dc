// not timeout is true as long as something can happen.
byte x;
active proctype P() { (!timeout); x = 5; (!timeout || x == 6); x = 7 }
