/* order: 6 */
chan hub = [1] of { chan };
proctype client() { chan mine = [1] of { bit }; bit x; do :: hub!mine; mine?x od }
proctype server() { chan reply; do :: hub?reply; reply!1 od }
init { atomic { run server(); run client(); run client(); run client() } }
