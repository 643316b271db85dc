// else with run: run is always possible.
byte x;
proctype Q() { x++ }
active proctype P() { if :: run Q() -> x = 5 :: else -> x = 6 fi }
