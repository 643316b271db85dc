// Inside an atomic the process goes on even if it lowers its priority; then it has to wait.
byte x;
active proctype P() priority 5 { atomic { x = 1; set_priority(_pid, 1); x = 2; x = 3 }; x = 4 }
active proctype Q() priority 3 { x = 9 }
