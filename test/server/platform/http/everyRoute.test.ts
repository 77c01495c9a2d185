import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect } from "chai";
import type { FastifyInstance, InjectOptions } from "fastify";
import { stripeSettings } from "../../../support/stripeStandIn.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

interface Route {
  readonly method: NonNullable<InjectOptions["method"]>;
  readonly url: string;
}

const outbox = { list: async () => [], read: async () => null };
/** Requests a minute, low so that few exceed it; the real limits of the routes are below `most`. */
const allowed = 4;
const most = 1_300;

/** The field in which SimpleLogin's API, other than addy.io's, says what is wrong. */
const fieldOf = (url: string): string => (/^\/api\/(?!v1\/)/.test(url) ? "error" : "message");

describe("Every route of the server", () => {
  const routes: Route[] = [];
  const limits: number[] = [];
  let fastify: FastifyInstance;
  let server: TestServer;

  const listen = (message: unknown): void => {
    ({ fastify } = message as { fastify: FastifyInstance });
    fastify.addHook("onRoute", (route) => {
      for (const method of [route.method].flat())
        routes.push({ method: method as Route["method"], url: route.url });
      if (route.config?.perMinute !== undefined) limits.push(route.config.perMinute);
      route.config = { ...route.config, perMinute: allowed };
    });
  };

  before(async () => {
    subscribe("fastify.initialization", listen);
    server = await startServer({
      outbox,
      corsOrigins: ["https://app.example.org"],
      billing: { ...stripeSettings, apiBase: "http://127.0.0.1:1" },
    });
    unsubscribe("fastify.initialization", listen);
  });
  after(() => server.stop());

  /** Repeats a request from one IP address until it is refused with 429; returns that answer. */
  const flood = async ({ method, url }: Route, remoteAddress: string) => {
    for (let count = 0; count < most; count++) {
      const answer = await fastify.inject({
        method,
        url: url.replace(/:\w+(\([^/]*\))?/g, "x.svg").replace("*", "x"),
        headers: { accept: count % 2 ? "text/html" : "application/json", origin: "https://evil.example" },
        remoteAddress,
      });
      if (answer.statusCode === 429) return answer;
    }
    return undefined;
  };

  it("has a rate limit: a client over it gets 429 with Retry-After", async () => {
    expect(routes.map(({ method, url }) => `${method} ${url}`)).to.include.members([
      "GET /",
      "GET /assets/*",
      "GET /outbox/:id",
      "OPTIONS /*",
      "POST /confirm",
      "POST /auth/refresh-token",
      "PUT /notifications/read",
      "DELETE /account/sessions/:id",
      "GET /ws",
      "POST /webhooks/stripe",
    ]);
    expect(limits.length).to.be.greaterThan(50);
    expect(Math.max(...limits)).to.be.below(most);
    for (const [index, route] of [...routes, { method: "GET", url: "/nothing" } as const].entries()) {
      const name = `${route.method} ${route.url}`;
      const answer = await flood(route, `203.0.${113 + (index >> 8)}.${index & 255}`);
      expect(answer?.statusCode, name).to.equal(429);
      const wait = Number(answer?.headers["retry-after"]);
      expect(wait, name).to.be.within(1, 60);
      if (route.method !== "HEAD")
        expect(answer?.json(), name).to.deep.equal({
          [fieldOf(route.url)]: "Too many requests. Please try again in a moment.",
        });
    }
  });
});
