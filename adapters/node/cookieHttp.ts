import { map } from "fp-ts/lib/TaskEither.js";
import type { Http, HttpResponse } from "../../core/ports/http.ts";

/** The cookies of one server, for programs that are no browser. */
export interface CookieJar {
  /** The value of the `Cookie` header; empty without cookies. */
  readonly header: () => string;
  readonly value: (name: string) => string | null;
  /** Stores the cookie of a `Set-Cookie` header (RFC 6265, 5.2); an expired one is deleted. */
  readonly store: (setCookie: string) => void;
}

/** The values of cookies by their names. */
export type Cookies = Readonly<Record<string, string>>;

/** The storage in which cookies outlive the process. */
export interface KeptCookies {
  readonly read: () => Cookies;
  readonly write: (cookies: Cookies) => void;
}

const isExpired = (attributes: readonly string[], now: number): boolean =>
  attributes.some((attribute) => {
    const [name = "", value = ""] = attribute.trim().split("=");
    if (/^max-age$/i.test(name)) return Number(value) <= 0;
    return /^expires$/i.test(name) && Date.parse(value) <= now;
  });

const inMemory: KeptCookies = { read: () => ({}), write: () => {} };

/** Creates a jar, which lasts as long as the process where nothing keeps it. */
export const createCookieJar = (now: () => number, kept: KeptCookies = inMemory): CookieJar => {
  const cookies = new Map(Object.entries(kept.read()));
  return {
    header: () => Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; "),
    value: (name) => cookies.get(name) ?? null,
    store: (setCookie) => {
      const [pair = "", ...attributes] = setCookie.split(";");
      const separator = pair.indexOf("=");
      if (separator < 1) return;
      const name = pair.slice(0, separator).trim();
      const value = isExpired(attributes, now()) ? undefined : pair.slice(separator + 1).trim();
      if (value === cookies.get(name)) return;
      if (value === undefined) cookies.delete(name);
      else cookies.set(name, value);
      kept.write(Object.fromEntries(cookies));
    },
  };
};

/** Splits joined `Set-Cookie` headers at commas; the comma in a date is followed by a space and a digit. */
const setCookies = (response: HttpResponse): readonly string[] =>
  response.headers["set-cookie"]?.split(/,(?=\s*[^\s;,=]+=)/) ?? [];

/** Sends the cookies of the jar with each request and stores those of each response. */
export const cookieHttp =
  (jar: CookieJar) =>
  (http: Http): Http =>
  (request) =>
  () => {
    const cookie = jar.header();
    const headers = cookie === "" ? request.headers : { ...request.headers, cookie };
    return map((response: HttpResponse) => {
      for (const line of setCookies(response)) jar.store(line);
      return response;
    })(http({ ...request, headers }))();
  };
