// A `hidden` counter is no part of the state: counting makes no new states.
hidden byte h; byte x;
active [2] proctype P() { do :: x < 20 -> x++; h = h + 3; printf("%d", h) :: x >= 20 -> break od }
