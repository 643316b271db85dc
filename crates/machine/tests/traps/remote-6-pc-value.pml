// pc_value: the number of another process' control state.
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { do :: pc_value(0) == pc_value(_pid) -> break :: pc_value(0) > 1 -> x = 7; break od }
