import { type Agent, type IncomingHttpHeaders, request } from "node:http";

/** A request of a bench. */
export interface Sent {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
  /** The status that it is to be answered with; 200 by default. */
  readonly status?: number;
}

/** An answer with the bytes of its body as they were sent, compressed or not. */
export interface Answered {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Throws when an answer has another status than was asked for: a refusal is not what a bench measures. */
const expectStatus = (call: string, status: number | undefined, expected: number): void => {
  if (status !== expected) throw new Error(`${call} answered with ${status}; expected ${expected}.`);
};

/** Sends a request and reads its answer; rejects when that has another status than was asked for. */
export const exchange = ({
  url,
  method = "GET",
  headers = {},
  body = "",
  agent,
  status = 200,
}: Sent): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(agent && { agent }) }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        try {
          expectStatus(`${method} ${url}`, response.statusCode, status);
          resolve({ headers: response.headers, body: Buffer.concat(parts) });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
