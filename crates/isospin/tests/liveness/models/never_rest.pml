/* expect never violated violated */
/* The system never moves; the claim looks at its only state again and again, until it comes to its end. */
bit g;

active proctype P() { g == 1 }

never { true; g == 0; g == 0; true }
