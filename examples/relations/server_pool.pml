/* A pool of servers that share the requests: whoever is free takes the next one. See one_server.pml. */
#ifndef POOL
#define POOL 2
#endif
chan ask[2] (extern ASK) = [0] of { byte };
chan answer[2] (extern ANSWER) = [0] of { byte };

active [2] proctype Client()
{
	do
	:: ask[_pid]!1 -> answer[_pid]?2
	od
}

active [POOL] proctype Server()
{
	do
	:: ask[0]?1 -> answer[0]!2
	:: ask[1]?1 -> answer[1]!2
	od
}
