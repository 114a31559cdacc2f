"""The tables of the database, as steps from one version to the next; applied when the server starts."""

from __future__ import annotations

# {bytes}, {compact} and {text} (a line of the log as text) differ between the two databases, nothing else.
VERSIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE log (game TEXT NOT NULL, n INTEGER NOT NULL, line {bytes} NOT NULL,"
        " PRIMARY KEY (game, n)) {compact}",
        "CREATE TABLE answers (game TEXT NOT NULL, person TEXT NOT NULL, id TEXT NOT NULL,"
        " asked {bytes} NOT NULL, n INTEGER, refused {bytes}, PRIMARY KEY (game, person, id)) {compact}",
        "CREATE TABLE tables (game TEXT PRIMARY KEY, status TEXT NOT NULL, public INTEGER NOT NULL,"
        " touched BIGINT NOT NULL, due BIGINT, face {bytes} NOT NULL)",
        "CREATE INDEX tables_listed ON tables (public, status, touched)",
        "CREATE INDEX tables_due ON tables (due)",
        "CREATE TABLE seats (person TEXT NOT NULL, game TEXT NOT NULL, seat INTEGER NOT NULL,"
        " PRIMARY KEY (person, game)) {compact}",
        "CREATE TABLE people (person TEXT PRIMARY KEY, name TEXT NOT NULL, notices {bytes},"
        " made BIGINT NOT NULL)",
        "CREATE TABLE keys (hash TEXT PRIMARY KEY, person TEXT NOT NULL, made BIGINT NOT NULL, ended BIGINT)",
        "CREATE TABLE codes (hash TEXT PRIMARY KEY, person TEXT NOT NULL, expires BIGINT NOT NULL)",
        "CREATE TABLE results (game TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT, level TEXT,"
        " species TEXT NOT NULL, players INTEGER NOT NULL, edition TEXT NOT NULL, total INTEGER NOT NULL,"
        " winner INTEGER NOT NULL, deals INTEGER NOT NULL, kept INTEGER NOT NULL, broken INTEGER NOT NULL,"
        " ended BIGINT NOT NULL, PRIMARY KEY (game, seat)) {compact}",
        "CREATE INDEX results_of ON results (person)",
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value {bytes} NOT NULL)",
    ),
    (
        "ALTER TABLE log ADD COLUMN chain {bytes}",  # NULL: from before there was a chain
        "ALTER TABLE results ADD COLUMN counts INTEGER NOT NULL DEFAULT 1",
        "UPDATE results SET counts = 0 WHERE game IN"
        " (SELECT game FROM log WHERE n = 1 AND {text} LIKE '%\"continues\":true%')",
        "CREATE TABLE tokens (hash TEXT PRIMARY KEY, bot TEXT NOT NULL, owner TEXT NOT NULL,"
        " name TEXT NOT NULL, scopes TEXT NOT NULL, made BIGINT NOT NULL, used BIGINT, ended BIGINT)",
        "CREATE INDEX tokens_of ON tokens (owner)",
    ),
    (
        "CREATE TABLE groups (id TEXT PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL,"
        " invitation TEXT NOT NULL, made BIGINT NOT NULL)",
        "CREATE TABLE members (of_group TEXT NOT NULL, person TEXT NOT NULL, since BIGINT NOT NULL,"
        " PRIMARY KEY (of_group, person)) {compact}",
        "CREATE INDEX members_in ON members (person)",
        "ALTER TABLE tables ADD COLUMN of_group TEXT",  # NULL: the table is for no group
        "CREATE INDEX tables_of_group ON tables (of_group)",
        "ALTER TABLE results ADD COLUMN of_group TEXT",
        "ALTER TABLE results ADD COLUMN waited BIGINT",  # NULL: from before it was measured
        "CREATE INDEX results_of_group ON results (of_group, ended)",
    ),
    # Since 4 the reasons of bots stand in the log as codes with their facts, and steps that were done for a
    # person as events: a program that knows only 3 could not read such lines, and must not try.
    (
        "CREATE TABLE held (id TEXT PRIMARY KEY, person TEXT NOT NULL, game TEXT NOT NULL,"
        " made BIGINT NOT NULL, due BIGINT NOT NULL, said {bytes} NOT NULL)",
        "CREATE INDEX held_due ON held (due)",
        "CREATE INDEX held_of ON held (person, game)",
    ),
)

NEWEST = len(VERSIONS)

# The columns of every table, in an order in which a backup can be read back. A later version only adds
# columns at the end, so that rows of an earlier one still find their places.
COLUMNS: dict[str, tuple[str, ...]] = {
    "people": ("person", "name", "notices", "made"),
    "keys": ("hash", "person", "made", "ended"),
    "codes": ("hash", "person", "expires"),
    "tokens": ("hash", "bot", "owner", "name", "scopes", "made", "used", "ended"),
    "secrets": ("name", "value"),
    "groups": ("id", "name", "owner", "invitation", "made"),
    "members": ("of_group", "person", "since"),
    "tables": ("game", "status", "public", "touched", "due", "face", "of_group"),
    "seats": ("person", "game", "seat"),
    "held": ("id", "person", "game", "made", "due", "said"),
    "log": ("game", "n", "line", "chain"),
    "answers": ("game", "person", "id", "asked", "n", "refused"),
    "results": (
        *("game", "seat", "person", "level", "species", "players", "edition"),
        *("total", "winner", "deals", "kept", "broken", "ended", "counts", "of_group", "waited"),
    ),
}


def insert(table: str, count: int | None = None) -> str:
    """The statement that adds a row; it names its columns, so that a newer schema may have more of them."""
    columns = COLUMNS[table][:count]
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


# What is listed of a table, new or changed.
LISTED = (
    f"{insert('tables')} ON CONFLICT (game) DO UPDATE SET status = excluded.status,"
    " public = excluded.public, touched = excluded.touched, due = excluded.due, face = excluded.face,"
    " of_group = excluded.of_group"
)

# The same where only its face has changed, as with most lines: no index is written for it.
FACE = f"{insert('tables')} ON CONFLICT (game) DO UPDATE SET face = excluded.face"


class NewerSchema(ValueError):  # noqa: N818 - says what it is
    """The database was written by a newer program."""

    def __init__(self, version: int) -> None:
        """Say which version was found."""
        super().__init__(f"The database has schema version {version}, but this program knows only {NEWEST}.")


def steps(version: int, bytes_: str, compact: str, text: str) -> list[str]:
    """What lifts a database from `version` to the newest; raises NewerSchema."""
    if version > NEWEST:
        raise NewerSchema(version)
    return [
        sql.format(bytes=bytes_, compact=compact, text=text) for later in VERSIONS[version:] for sql in later
    ]
