// C sees how many processes there are, and who it is.
byte seen;
active [3] proctype P() { c_code { now.seen += 1 << (2 * PP->_pid); }; assert(c_expr { now._nr_pr >= 1 && now._nr_pr <= 3 }) }
