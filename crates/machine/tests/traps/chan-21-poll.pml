// Polls: true when that receive is possible.
chan q = [2] of { byte, byte };
byte x = 2;
active proctype P() { q!1,2; q!3,4; assert(q?[1,_]); assert(!q?[3,_]); assert(q??[3,_]); assert(q??[3,4]); assert(q?[1,eval(x)]); assert(!q??[eval(x),_]) }
