// Events inside `atomic` and `d_step`.
chan q = [3] of { byte };
active [2] proctype P() { atomic { q!1; q!2 }; d_step { q?1; q!3; q?2 } }
trace { do :: q!1; q!2 :: q!3 od }
