// Clauses in words, as the server says them, put together to sentences.
export function sentences(said: readonly string[], between = " "): string {
  return said.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(between);
}
