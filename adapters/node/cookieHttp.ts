import { map } from "fp-ts/lib/TaskEither.js";
import type { Http, HttpResponse } from "../../core/ports/http.ts";

/** The cookies of one server, for a program that is no browser. */
export interface CookieJar {
  /** As a `Cookie` header has them; empty when there are none. */
  readonly header: () => string;
  readonly value: (name: string) => string | null;
  /** Takes a `Set-Cookie` header in (RFC 6265, 5.2); one that has expired is forgotten. */
  readonly take: (setCookie: string) => void;
}

const isOver = (attributes: readonly string[], now: number): boolean =>
  attributes.some((attribute) => {
    const [name = "", value = ""] = attribute.trim().split("=");
    if (/^max-age$/i.test(name)) return Number(value) <= 0;
    return /^expires$/i.test(name) && Date.parse(value) <= now;
  });

export const makeCookieJar = (now: () => number): CookieJar => {
  const cookies = new Map<string, string>();
  return {
    header: () => Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; "),
    value: (name) => cookies.get(name) ?? null,
    take: (setCookie) => {
      const [pair = "", ...attributes] = setCookie.split(";");
      const at = pair.indexOf("=");
      if (at < 1) return;
      const name = pair.slice(0, at).trim();
      if (isOver(attributes, now())) cookies.delete(name);
      else cookies.set(name, pair.slice(at + 1).trim());
    },
  };
};

/** Several `Set-Cookie` headers arrive joined by commas; a comma inside a date is followed by a space and a digit. */
const setCookies = (response: HttpResponse): readonly string[] =>
  response.headers["set-cookie"]?.split(/,(?=\s*[^\s;,=]+=)/) ?? [];

/** Sends the jar's cookies with each request and keeps those that come back, as a browser does by itself. */
export const cookieHttp =
  (jar: CookieJar) =>
  (http: Http): Http =>
  (request) =>
  () => {
    const cookie = jar.header();
    const headers = cookie === "" ? request.headers : { ...request.headers, cookie };
    return map((response: HttpResponse) => {
      for (const line of setCookies(response)) jar.take(line);
      return response;
    })(http({ ...request, headers }))();
  };
