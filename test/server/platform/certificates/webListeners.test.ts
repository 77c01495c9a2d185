import { createServer } from "node:http";
import { expect } from "chai";
import { pino } from "pino";
import {
  createWebListeners,
  type WebListeners,
} from "../../../../server/platform/certificates/webListeners.ts";
import { freePort } from "../../../support/freePort.ts";

describe("Plain HTTP of a server with certificates of its own", () => {
  let listeners: WebListeners;
  let origin: string;

  before(async () => {
    const port = await freePort();
    listeners = createWebListeners({
      certificates: {
        secureContext: () => null,
        challengeAnswer: (token) => (token === "given" ? "given.answer" : undefined),
      },
      app: createServer((_request, response) => response.end("the app")),
      publicUrl: "https://app.example.org/bauta",
      isProxy: () => false,
      httpPort: port,
      httpsPort: await freePort(),
      log: pino({ level: "silent" }),
    });
    await listeners.startHttp();
    origin = `http://127.0.0.1:${port}`;
  });
  after(() => listeners.stop());

  for (const [path, status, said] of [
    ["/", 308, "https://app.example.org/"],
    ["/bauta/masks?x=1", 308, "https://app.example.org/bauta/masks?x=1"],
    ["//elsewhere.example/", 308, "https://app.example.org//elsewhere.example/"],
    ["/.well-known/acme-challenge/given", 200, "given.answer"],
    ["/.well-known/acme-challenge/guess", 404, ""],
    ["/.well-known/acme-challenge/given/", 308, "https://app.example.org/.well-known/acme-challenge/given/"],
  ] as const)
    it(`${status === 308 ? "sends people to HTTPS from" : `says ${status} to the authority at`} ${path}`, async () => {
      const response = await fetch(`${origin}${path}`, { redirect: "manual" });
      const answer = response.headers.get("location") ?? (await response.text());
      expect([response.status, answer]).to.deep.equal([status, said]);
    });
});
