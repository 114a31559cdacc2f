"""From where a server says it can be reached, and the QR codes of its links."""

from __future__ import annotations

from pathlib import Path

from tools.drive.server import Browser, Served, serving


def test_a_public_server_tells_nobody_its_inner_addresses_and_opens_nothing(served: Served) -> None:
    anna = Browser(served, "Anna")
    assert anna.get("/api/reach").json == {"links": [], "may_open": False}
    refused = anna.post("/api/reach")
    assert (refused.status, refused.json["code"]) == (403, "not_at_home")


def test_a_server_names_the_address_people_use(tmp_path: Path) -> None:
    with serving(tmp_path, "--base-url", "https://play.example.org/") as served:
        links = Browser(served).get("/api/reach").json["links"]
    assert links == [{"url": "https://play.example.org", "where": "internet"}]


def test_a_link_is_drawn_as_a_code_a_camera_can_find(served: Served) -> None:
    anna = Browser(served, "Anna")
    rows = anna.post("/api/qr", {"text": "http://192.168.1.5:8000/t/abcdefghijkl#abcdefghijkl"}).json["rows"]
    assert {len(row) for row in rows} == {len(rows)}
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    corners = (
        [row[:7] for row in rows[:7]],
        [row[-7:] for row in rows[:7]],
        [row[:7] for row in rows[-7:]],
    )
    assert corners == (finder, finder, finder)


def test_no_code_is_drawn_of_nothing_or_of_a_book(served: Served) -> None:
    anna = Browser(served, "Anna")
    for text in ("", "x" * 301):
        assert anna.post("/api/qr", {"text": text}).json["code"] == "out_of_range"
