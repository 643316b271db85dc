// select as an option of a selection: its options join the choice.
byte x;
active proctype P() { if :: select (x : 1 .. 2) :: x = 7 fi; skip }
