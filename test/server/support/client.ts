import { request as httpRequest } from "node:http";
import { refuseBystander } from "../../support/bystanderMarker.ts";
import { refuseUndeclared } from "./declaredAnswers.ts";

/** Answer to a request; `json` is undefined when the body is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, as application/json unless `headers` set another type. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** HTTP client that behaves like a browser: stores cookies, sends its access token and the CSRF token. */
export interface Client {
  readonly call: (method: string, path: string, sent?: RequestOptions) => Promise<Answer>;
  /** Requests a new access token with the cookie, as a page does, and stores it. */
  readonly refresh: () => Promise<Answer>;
  readonly cookies: Map<string, string>;
  token: string | null;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const keep = (cookies: Map<string, string>, headers: Headers): void => {
  for (const line of headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (attributes.includes("Max-Age=0") || value === "") cookies.delete(name);
    else cookies.set(name, decodeURIComponent(value));
  }
};

export const createClient = (origin: string): Client => {
  const cookies = new Map<string, string>();
  const client: Client = {
    cookies,
    token: null,
    refresh: async () => {
      const answer = await client.call("POST", "/auth/refresh-token");
      if (answer.status === 200) client.token = (answer.json as { token: string }).token;
      return answer;
    },
    call: async (method, path, sent = {}) => {
      const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
      const csrf = cookies.get("csrfToken");
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: "manual",
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
          ...(csrf === undefined ? {} : { "x-csrf-token": csrf }),
          ...(cookies.size === 0
            ? {}
            : { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ") }),
          ...sent.headers,
        },
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const text = await response.text();
      refuseBystander(`the answer to ${method} ${path}`, text);
      refuseUndeclared(method, path, response.status);
      keep(cookies, response.headers);
      return { status: response.status, headers: response.headers, text, json: parsed(text) };
    },
  };
  return client;
};

/** Creates a client with the same cookies and token, as a thief of them would have. */
export const copyClient = (origin: string, one: Client): Client => {
  const copy = createClient(origin);
  for (const [name, value] of one.cookies) copy.cookies.set(name, value);
  copy.token = one.token;
  return copy;
};

/** Sends a request that `fetch` refuses (unusual paths, headers, methods); returns its status and body. */
export const sendRaw = (
  origin: string,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const sending = httpRequest({ hostname, port, ...options, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        refuseBystander(`the answer to ${options.path}`, text);
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sending.on("error", reject);
    sending.end(options.body);
  });
