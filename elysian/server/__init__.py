"""The table server: people and bots at tables, over HTTP and one WebSocket each.

A table is its log (event sourcing). A command (of a person, a bot or the clock) waits in the table's inbox;
one task decides it, stores the line it comes to, and only then tells everybody, each as much as they may
see. A table is loaded when somebody comes, by folding its lines, and leaves memory when nobody is there.
Several processes may share a PostgreSQL: the lease of a game names its one writer, and a bus tells the others
that there is a new line.

The way of a command: `edge/websocket` reads a frame -> `live/table` takes it from its inbox -> `live/batch`
decides it (`elysian.rules`, `table_state/decide`) -> `store` writes the line and the answer ->
`live/audience` makes the frames -> `edge/websocket` sends them. A question takes the road `live/queries`
and changes nothing.

    edge/         what the network sees: HTTP routes, the socket, streams, the built page, uvicorn
    server.py     what one process keeps, from its start to its stop
    background/   what nobody has to ask for: bots, workers, timers, cover, orders, notices, streams
    live/         tables in memory: inbox, deciding, views for an audience, resuming, questions
    cluster/      several processes on one database: lease, bus, supervisor
    reports/      listing, results while a game is played, statistics over all, the story of one
    store/        append-only logs on SQLite or PostgreSQL, old formats, people, groups, tokens, notices that
                  wait, backups
    protocol/     the messages that travel, how strictly they are read, close codes
    table_state/  who sits where and what was agreed: actions, events, decide, fold; pure, like the game
    ops/          settings, rate limits, metrics, logs, refusals
    words/        the server's sentences in each language; schema/ the OpenAPI and JSON Schema of it all

A room imports only rooms below it in this list (reports beside cluster, protocol beside store); `lint-
imports` holds it.
"""
