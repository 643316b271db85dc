// Reading a message that stays where it is is no event.
chan q = [2] of { byte };
active proctype P() { byte x; q!1; q?<x>; q?<x>; q?x; q!2; q?[2]; q?x }
trace { q?1; q?2 }
