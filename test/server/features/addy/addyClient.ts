import type { TestServer } from "../../support/startServer.ts";

/** What an answer may contain; the tests say what they expect. */
export interface Json {
  readonly [name: string]: unknown;
  readonly data?: Json & readonly Json[];
  readonly id?: string;
  readonly email?: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

/** Sends a request as a program does that knows no session. */
export const send = async (
  { origin }: Pick<TestServer, "origin">,
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<Answer> => {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (text === "" ? {} : JSON.parse(text)) as Json,
  };
};

/** What the browser extension and the apps send with each request. */
export const extensionHeaders = (token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "x-requested-with": "XMLHttpRequest",
  accept: "application/json",
});

/** The check that the browser extension makes of a key before it sends anything. */
export const extensionTakesKey = (typed: string): boolean =>
  /^(?:addy_io_)?[a-z\d]{40,60}$/i.test(typed.trim());

/** The number of characters of a text that the phone apps take from the clipboard as a key. */
export const clipboardKeyLength = 56;
