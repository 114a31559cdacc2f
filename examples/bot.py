"""A bot for an Elysian server: python bot.py http://127.0.0.1:8000 TOKEN plays a whole game, cautiously."""

import http.client
import json
import sys
import uuid

CAUTIOUS = "lay_plan,place_bid,give_gifts,discard_colonies,buy,pass,choose_handicap,done"


def ask(method, path, body=None):
    """One request; a stream is read line by line from the answer."""
    connection = http.client.HTTPConnection(sys.argv[1].removeprefix("http://"), timeout=60)
    headers = {"Authorization": f"Bearer {sys.argv[2]}", "Content-Type": "application/json"}
    connection.request(method, path, body and json.dumps(body), headers)
    return connection.getresponse()


def play(mine=None):
    """Take the first open seat, then do what the server says is needed, until the game is over."""
    for line in filter(bytes.strip, ask("GET", "/api/stream")):  # an empty line: the server is still there
        told = json.loads(line)
        if told["kind"] == "seats" and mine is None and told["tables"]:
            table = told["tables"][0]["table"]
            if ask("POST", f"/api/tables/{table}/join", {"version": "example 1"}).status == 200:
                mine = table
        elif told["kind"] == "needs" and told["waited"]:
            actions = [choice["action"] for choice in told["options"]["choices"]]
            ready = (one for kind in CAUTIOUS.split(",") for one in actions if one["kind"] == kind)
            if action := told["options"]["must"] or next(ready, None):
                body = {"id": uuid.uuid4().hex, "action": action}
                ask("POST", f"/api/tables/{told['table']}/do", body).read()
        elif told["kind"] == "table" and told["status"] == "over":
            print(told["points"][told["seat"]])
            return


if __name__ == "__main__":
    play()
