/* One server answers the clients, one after the other. server_pool.pml does the same with several servers: it can do more
   (two requests can be under way), so the pool does not refine the one server. The other way round it does: every trace of
   the one server is a trace of the pool. */
chan ask[2] (extern ASK) = [0] of { byte };
chan answer[2] (extern ANSWER) = [0] of { byte };

active [2] proctype Client()
{
	do
	:: ask[_pid]!1 -> answer[_pid]?2
	od
}

active proctype Server()
{
	do
	:: ask[0]?1 -> answer[0]!2
	:: ask[1]?1 -> answer[1]!2
	od
}
