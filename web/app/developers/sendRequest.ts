import type { WrittenRequest } from "../../../core/api/apiDescription.ts";
import { atServer } from "../../navigation/baseAddress.ts";

/** The response, as the page shows it. */
export interface ShownAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly ms: number;
  readonly headers: string;
  readonly body: string;
}

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Reads an answer; of a stream, which does not end by itself, what comes first. */
const readText = async (response: Response): Promise<string> => {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!isStream || response.body === null) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
};

/** Sends a request without cookies, as another program would; null when no answer came. */
export const sendRequest = async ({
  method,
  url,
  headers,
  body,
}: WrittenRequest): Promise<ShownAnswer | null> => {
  const start = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers },
      body,
      credentials: "omit",
      cache: "no-store",
    });
    const text = await readText(response);
    return {
      status: response.status,
      statusText: response.statusText,
      ms: Math.round(performance.now() - start),
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
      body: indented(text),
    };
  } catch {
    return null;
  }
};

/** Reads the description of the API; null when no answer came. */
export const loadDescription = (): Promise<ShownAnswer | null> =>
  sendRequest({ method: "GET", url: atServer("/openapi.json"), headers: {}, body: null });
