// The HTTP side of the server; every refusal arrives as a Refused with its sentence.
import { language } from "./words.svelte";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { "Accept-Language": language() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, "no_server", "");
  }
  if (response.status === 204) return undefined as Answer;
  const answer = (await response.json().catch(() => null)) as { code?: string; sentence?: string } | null;
  if (!response.ok) throw new Refused(response.status, answer?.code ?? "unknown", answer?.sentence ?? "");
  return answer as Answer;
}

export const get = <Answer>(path: string) => call<Answer>("GET", path);
export const post = <Answer>(path: string, body: unknown = {}) => call<Answer>("POST", path, body);
export const put = <Answer>(path: string, body: unknown) => call<Answer>("PUT", path, body);
export const remove = <Answer>(path: string) => call<Answer>("DELETE", path);
