// Division cuts towards zero, the remainder has the sign of the dividend.
int x;
active proctype P() { x = -7 / 2; assert(x == -3); x = -7 % 3; assert(x == -1); x = 7 % -3; assert(x == 1) }
