// A bot for an Elysian server: node bot.mjs http://127.0.0.1:8000 TOKEN. It plays one whole game, cautiously.
const [server, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
const CAUTIOUS = "lay_plan place_bid give_gifts discard_colonies buy pass choose_handicap done".split(" ");

const post = (path, body) =>
  fetch(server + path, { method: "POST", headers, body: JSON.stringify(body) });

async function* lines(path) {
  let rest = "";
  const answer = await fetch(server + path, { headers });
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + part).split("\n");
    rest = whole.pop();
    yield* whole.filter((line) => line.trim()).map((line) => JSON.parse(line));
  }
}

let mine = null;
for await (const told of lines("/api/stream")) {
  if (told.kind === "seats" && mine === null && told.tables.length) {
    const table = told.tables[0].table;
    const joined = await post(`/api/tables/${table}/join`, { version: "example.mjs 1" });
    if (joined.ok) mine = table;
  } else if (told.kind === "needs" && told.waited) {
    const actions = told.options.choices.map((choice) => choice.action);
    const kind = CAUTIOUS.find((one) => actions.some((action) => action.kind === one));
    const action = told.options.must ?? actions.find((one) => one.kind === kind);
    if (action) await post(`/api/tables/${told.table}/do`, { id: crypto.randomUUID(), action });
  } else if (told.kind === "table" && told.status === "over") {
    console.log(told.points[told.seat]);
    process.exit(0);
  }
}
