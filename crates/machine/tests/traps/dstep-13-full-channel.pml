// A send to a full channel inside a d_step.
chan q = [1] of { byte };
active proctype P() { d_step { q!1; q!2 } }
