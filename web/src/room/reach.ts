// The addresses an invitation may name, the widest first; where the server names none, the one we came by.
import type { Link } from "~/wire";

const ORDER = ["internet", "network", "machine"] as const;

export function whereIs(host: string): Link["where"] {
  if (host === "localhost" || host === "[::1]" || /^127\./.test(host)) return "machine";
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(host))
    return "network";
  return /^\[f[cde]/i.test(host) || host.endsWith(".local") || !/[.:]/.test(host) ? "network" : "internet";
}

/** Those that let somebody else in, and the one we are at ourselves. */
export function linksFrom(told: readonly Link[], origin: string): Link[] {
  const where = whereIs(new URL(origin).hostname);
  // To somebody who came from elsewhere the host's own machine is nothing.
  const links = told.filter((link) => where === "machine" || link.where !== "machine");
  if (!links.some((link) => link.url === origin)) links.push({ url: origin, where });
  return links.sort((one, other) => ORDER.indexOf(one.where) - ORDER.indexOf(other.where));
}
