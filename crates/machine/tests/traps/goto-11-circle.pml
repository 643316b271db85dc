// Jumps that lead nowhere but to themselves.
active proctype P() { A: goto B; B: goto A }
