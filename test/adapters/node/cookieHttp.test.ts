import { expect } from "chai";
import { right } from "fp-ts/lib/Either.js";
import { cookieHttp, createCookieJar } from "../../../adapters/node/cookieHttp.ts";
import type { Http, HttpRequest } from "../../../core/ports/http.ts";

const now = Date.UTC(2026, 10, 20);
const get: HttpRequest = { method: "GET", url: "/", headers: { accept: "text/plain" } };

/** Creates a server that answers each request with the next of these `Set-Cookie` headers, joined as fetch does. */
const serverOf = (answers: readonly (string | undefined)[]) => {
  const seen: (string | undefined)[] = [];
  const http: Http = (request) => async () => {
    const cookie = answers[seen.length];
    seen.push(request.headers["cookie"]);
    return right({ status: 200, headers: cookie === undefined ? {} : { "set-cookie": cookie }, body: "" });
  };
  return { http, seen };
};

describe("cookies of a client that is not a browser", () => {
  it("are sent with each request once the server has set them, several at once and one replacing another", async () => {
    const { http, seen } = serverOf([
      "session=a; Path=/; Expires=Fri, 27 Nov 2026 00:00:00 GMT; HttpOnly, csrf=b; Path=/",
      "csrf=c",
      undefined,
    ]);
    const send = cookieHttp(createCookieJar(() => now))(http);
    await send(get)();
    await send(get)();
    await send(get)();
    expect(seen).to.deep.equal([undefined, "session=a; csrf=b", "session=a; csrf=c"]);
  });

  it("are deleted when they expire: by Max-Age or by a past date", () => {
    const jar = createCookieJar(() => now);
    for (const cookie of ["a=1", "b=2", "c=3", "a=; Max-Age=0", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
      jar.store(cookie);
    expect(jar.header()).to.equal("c=3");
    expect(jar.value("a")).to.equal(null);
  });

  it("without a name are ignored", () => {
    const jar = createCookieJar(() => now);
    jar.store("nothing");
    jar.store("=value; Path=/");
    expect(jar.header()).to.equal("");
  });
});
