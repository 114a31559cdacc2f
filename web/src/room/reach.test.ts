import { expect, test } from "vitest";
import { linksFrom, whereIs } from "./reach";

test("an address says from where it works", () => {
  expect(["localhost", "127.0.0.2", "[::1]"].map(whereIs)).toEqual(["machine", "machine", "machine"]);
  expect(["192.168.1.5", "10.0.0.9", "172.20.1.1", "100.101.1.1", "desk.local", "[fd00::2]"].map(whereIs)).toEqual(
    Array(6).fill("network"),
  );
  expect(["play.example.org", "8.8.8.8", "172.32.0.1", "[2606:4700::1]"].map(whereIs)).toEqual(
    Array(4).fill("internet"),
  );
});

test("the link that lets most people in comes first, and the one we came by is among them", () => {
  const told = [
    { url: "http://127.0.0.1:8000", where: "machine" as const },
    { url: "http://192.168.1.5:8000", where: "network" as const },
  ];
  expect(linksFrom(told, "http://127.0.0.1:8000").map((link) => link.where)).toEqual(["network", "machine"]);
  expect(linksFrom(told, "http://192.168.1.5:8000").map((link) => link.where)).toEqual(["network"]);
  expect(linksFrom([], "https://play.example.org")).toEqual([{ url: "https://play.example.org", where: "internet" }]);
});
