import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import sinon from "sinon";
import { createOtelTelemetry, loadOtlpClient } from "../../../adapters/otel/otelTelemetry.ts";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { type ToldRecord, telemetryContract } from "../../contracts/telemetryContract.ts";
import { createTestApp } from "../../fakes/appOnFakes.ts";
import { createFakePorts } from "../../fakes/fakePorts.ts";
import { createMask, createUser, rightCode, serveProduct } from "../../fakes/productServer.ts";
import { createSeededRandom } from "../../fakes/seededRandom.ts";
import { createVirtualClock, settled, startsAt } from "../../fakes/virtualClock.ts";
import { until as untilHolds } from "../../server/support/until.ts";

/** Has the format of a session's token: three parts. */
const sessionToken = "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl";

const resource = { serviceName: "Bauta", environment: "production" };

interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a collector that records what it receives. */
const collector = async () => {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    arrivals.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const until = async (isThere: (arrivals: readonly Arrival[]) => boolean): Promise<readonly Arrival[]> => {
    await untilHolds("the collector has received it", () => isThere(arrivals));
    return arrivals;
  };
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${port}/`, until, stop };
};

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

const valueIn = ({ value }: Attribute): string | number | boolean =>
  "intValue" in value ? Number(value["intValue"]) : (Object.values(value)[0] ?? "");

const attributesOf = (list: readonly Attribute[]): Record<string, string | number | boolean> =>
  Object.fromEntries(list.map((attribute) => [attribute.key, valueIn(attribute)]));

interface WireRecord {
  readonly name?: string;
  readonly eventName?: string;
  readonly attributes: readonly Attribute[];
}

const recordsIn = (arrivals: readonly Arrival[], path: string): ToldRecord[] =>
  arrivals
    .filter((arrival) => arrival.path === path)
    .flatMap(({ body }): WireRecord[] => {
      const { resourceSpans, resourceLogs } = JSON.parse(body);
      return resourceSpans?.[0].scopeSpans[0].spans ?? resourceLogs[0].scopeLogs[0].logRecords;
    })
    .map(({ name, eventName, attributes }) => ({
      name: name ?? eventName ?? "",
      attributes: attributesOf(attributes),
    }));

describe("Telemetry over OTLP", () => {
  telemetryContract(async () => {
    const { endpoint, until, stop } = await collector();
    return {
      telemetry: createOtelTelemetry(
        endpoint,
        { ...resource, clock: systemClock, random: cryptoRandom },
        loadOtlpClient,
      ),
      recorded: async (events, spans) => {
        const arrivals = await until(
          (all) =>
            recordsIn(all, "/v1/logs").length >= events && recordsIn(all, "/v1/traces").length >= spans,
        );
        return { events: recordsIn(arrivals, "/v1/logs"), spans: recordsIn(arrivals, "/v1/traces") };
      },
      stop,
    };
  });
});

describe("Telemetry on the wire", () => {
  it("is OTLP over HTTP: spans as traces, events as log records, with the resource of the sender", async () => {
    const { endpoint, until, stop } = await collector();
    const telemetry = createOtelTelemetry(
      endpoint,
      {
        ...resource,
        clock: systemClock,
        random: cryptoRandom,
      },
      loadOtlpClient,
    );
    const before = Date.now();
    telemetry.span("GET /masks/:id", { "http.route": "/masks/:id" })({
      "http.response.status_code": 503,
      share: 0.5,
      retried: true,
    });
    telemetry.event("session.end", { reason: "log-out" });
    const arrivals = await until((all) => all.length === 2);
    const after = Date.now();
    stop();
    const body = (path: string) => {
      const arrival = arrivals.find((one) => one.path === path);
      expect(arrival?.headers).to.include({ "content-type": "application/json" });
      expect(arrival?.headers).to.not.have.any.keys("cookie", "authorization", "referer");
      return JSON.parse(arrival?.body ?? "");
    };
    const [traces] = body("/v1/traces").resourceSpans;
    const [logs] = body("/v1/logs").resourceLogs;
    for (const { attributes } of [traces.resource, logs.resource])
      expect(attributesOf(attributes)).to.deep.equal({
        "service.name": "Bauta",
        "deployment.environment.name": "production",
      });
    const [span] = traces.scopeSpans[0].spans;
    expect(span).to.deep.include({ name: "GET /masks/:id", kind: 3, status: { code: 2 } });
    expect(span.traceId).to.match(/^[0-9a-f]{32}$/);
    expect(span.spanId).to.match(/^[0-9a-f]{16}$/);
    expect(Number(span.startTimeUnixNano) / 1e6).to.be.within(before - 1, after + 1);
    expect(Number(span.endTimeUnixNano)).to.be.at.least(Number(span.startTimeUnixNano));
    expect(span.attributes).to.deep.equal([
      { key: "http.route", value: { stringValue: "/masks/:id" } },
      { key: "http.response.status_code", value: { intValue: "503" } },
      { key: "share", value: { doubleValue: 0.5 } },
      { key: "retried", value: { boolValue: true } },
    ]);
    const [record] = logs.scopeLogs[0].logRecords;
    expect(record).to.include({ eventName: "session.end" });
    expect(attributesOf(record.attributes)).to.deep.equal({ reason: "log-out" });
  });

  it("has a request in the trace that its X-Request-ID names to the server", async () => {
    const { endpoint, until, stop } = await collector();
    const fakes = createFakePorts({ clock: createVirtualClock() });
    const user = createUser("ada@example.org");
    serveProduct(fakes.server, { user, masks: [] });
    const deps = { ...resource, clock: systemClock, random: cryptoRandom };
    const telemetry = createOtelTelemetry(endpoint, deps, loadOtlpClient);
    const { app } = createTestApp(
      { ...fakes.ports, telemetry },
      { configuration: { brand: "Bauta", maskDomain: "masks.example" } },
    );
    const stopApp = app.start();
    await app.signIn.requestCode(user.email)();
    const isLogin = ({ name }: { readonly name: string }): boolean => name === "POST /login";
    const spansOf = (all: readonly Arrival[]) =>
      all
        .filter(({ path }) => path === "/v1/traces")
        .flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    const arrivals = await until((all) => spansOf(all).some(isLogin));
    stopApp();
    stop();
    const [request] = fakes.server.requestsTo("POST /login");
    expect(spansOf(arrivals).find(isLogin).traceId).to.equal(request?.headers["x-request-id"]);
  });

  it("of a whole visit contains no address, subject, body, code or token", async () => {
    const { endpoint, until, stop } = await collector();
    const fakes = createFakePorts({ clock: createVirtualClock() });
    const user = createUser("ada@example.org", { twoFactor: { enabled: true } });
    const mask = createMask("private-mask-id", { description: "Doctor Moreau" });
    serveProduct(fakes.server, { user, masks: [mask] });
    const telemetry = createOtelTelemetry(
      endpoint,
      {
        ...resource,
        clock: systemClock,
        random: cryptoRandom,
      },
      loadOtlpClient,
    );
    const { app } = createTestApp(
      { ...fakes.ports, telemetry },
      { configuration: { brand: "Bauta", maskDomain: "masks.example" } },
    );
    const stopApp = app.start();
    await app.signIn.requestCode(user.email)();
    await fakes.clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    await fakes.clock.advance(500);
    await app.signIn.verifyTwoFactor("654321")();
    await settled();
    await app.masks.read(mask.id)();
    const draft = {
      description: "Lawyer",
      forwardTo: "secret@example.net",
      spamFilter: true,
      labels: [],
      note: "",
      customPrefix: "",
    };
    await app.masks.create(draft)();
    fakes.server.on("GET", "/masks/:id", { status: 500, json: { message: "no ada@example.org here" } });
    await app.masks.read(mask.id)();
    await app.session.logOut()();
    stopApp();
    // Secrets of every kind in names and values, as a mistake in the code could pass them.
    telemetry.event(`mail for ${user.email}`, {
      address: user.email,
      code: rightCode,
      token: sessionToken,
      csrf: "c5f".padEnd(32, "0"),
    });
    telemetry.span(`GET /masks?address=${user.email}`, {})({ code: 654321 });
    // Entries are sent in their order: nothing is missing when the last of each kind have arrived.
    telemetry.event("the last event", {});
    telemetry.span("the last span", {})({});
    const last = ["the last event", "the last span"];
    const arrivals = await until((all) => last.every((what) => all.some(({ body }) => body.includes(what))));
    stop();
    const sent = arrivals.map(({ body, headers }) => JSON.stringify([headers, JSON.parse(body)])).join("\n");
    expect(sent).to.include("GET /masks/:id").and.to.include("session.end");
    for (const secret of [
      "ada@",
      "ada%40",
      "example.org",
      "secret",
      "example.net",
      "Doctor",
      "Lawyer",
      "private-mask-id",
      "masks.example",
      rightCode,
      "654321",
      sessionToken,
      "YWRhQGV4YW1wbGUub3Jn",
      "c5f0000",
      "ticket",
    ])
      expect(sent, secret).to.not.include(secret);
  });

  it("is not sent without a collector", async () => {
    const sending = sinon.stub(globalThis, "fetch").rejects(new Error("nobody should ask"));
    try {
      for (const none of [undefined, ""]) {
        const telemetry = createOtelTelemetry(
          none,
          {
            ...resource,
            clock: systemClock,
            random: cryptoRandom,
          },
          loadOtlpClient,
        );
        telemetry.event("quiet", {});
        telemetry.span("quiet", {})({});
      }
      await settled();
      expect(sending.called).to.equal(false);
    } finally {
      sending.restore();
    }
  });
});

// Virtual time cannot wait for a real connection, and this adapter depends on `fetch` only: a port between the two
// would only be stubbed instead. The tests above use a real collector.
describe("Batches of telemetry", () => {
  let fetching: sinon.SinonStub<Parameters<typeof fetch>, ReturnType<typeof fetch>>;
  beforeEach(() => {
    fetching = sinon.stub(globalThis, "fetch");
  });
  afterEach(() => fetching.restore());

  const begin = async (answer: (attempt: number) => number | Promise<Response> = () => 200) => {
    const clock = createVirtualClock();
    const batches: { readonly at: number; readonly size: number }[] = [];
    fetching.callsFake((_url, options) => {
      const body = JSON.parse(String(options?.body));
      const size = body.resourceLogs[0].scopeLogs[0].logRecords.length;
      batches.push({ at: clock.now() - startsAt, size });
      const answered = answer(batches.length);
      return typeof answered === "number"
        ? Promise.resolve(new Response("{}", { status: answered }))
        : new Promise((resolve, reject) => {
            options?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
            answered.then(resolve, reject);
          });
    });
    const telemetry = createOtelTelemetry(
      "https://collector.example",
      {
        ...resource,
        clock,
        random: { ...createSeededRandom(), fraction: () => 0.5 },
      },
      loadOtlpClient,
    );
    // The client's code is loaded with the first entry.
    const sendEvents = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) telemetry.event("happened", { n });
      await import("../../../adapters/otel/otlpClient.ts");
      await settled();
    };
    return { clock, batches, sendEvents };
  };

  it("are collected for 1 s", async () => {
    const { clock, batches, sendEvents } = await begin();
    await sendEvents(1);
    await clock.advance(600);
    await sendEvents(1);
    await clock.advance(399);
    expect(batches).to.deep.equal([]);
    await clock.advance(1);
    expect(batches).to.deep.equal([{ at: 1_000, size: 2 }]);
  });

  it("are sent at once when they have 30 entries, which is the maximum", async () => {
    const { clock, batches, sendEvents } = await begin();
    await sendEvents(29);
    expect(batches).to.deep.equal([]);
    await sendEvents(36);
    await clock.advance(1_000);
    expect(batches).to.deep.equal([
      { at: 0, size: 30 },
      { at: 0, size: 30 },
      { at: 1_000, size: 5 },
    ]);
  });

  for (const status of [429, 502, 503, 504])
    it(`are sent again on status ${status}, 3 times at most, and then dropped`, async () => {
      const { clock, batches, sendEvents } = await begin(() => status);
      await sendEvents(1);
      await clock.advance(60_000);
      expect(batches.map(({ at }) => at)).to.deep.equal([1_000, 2_500, 5_000, 9_500]);
      await sendEvents(1);
      await clock.advance(1_000);
      expect(batches.at(-1)?.size).to.equal(1);
    });

  for (const status of [200, 400, 401, 500])
    it(`are not sent again on status ${status}`, async () => {
      const { clock, batches, sendEvents } = await begin(() => status);
      await sendEvents(1);
      await clock.advance(60_000);
      expect(batches).to.have.length(1);
    });

  it("time out after 10 s", async () => {
    const { clock, batches, sendEvents } = await begin((attempt) =>
      attempt === 1 ? new Promise(() => {}) : 200,
    );
    await sendEvents(1);
    await clock.advance(1_000 + 9_999);
    expect(batches).to.have.length(1);
    await clock.advance(1 + 1_500);
    expect(batches.map(({ at }) => at)).to.deep.equal([1_000, 12_500]);
  });

  it("hold at most 300 entries besides the batch being sent when the collector does not answer", async () => {
    const { clock, batches, sendEvents } = await begin(() => 503);
    await sendEvents(1_000);
    fetching.callsFake((_url, options) => {
      const body = JSON.parse(String(options?.body));
      batches.push({ at: 0, size: body.resourceLogs[0].scopeLogs[0].logRecords.length });
      return Promise.resolve(new Response("{}"));
    });
    const before = batches.length;
    await clock.advance(120_000);
    const rest = batches.slice(before).reduce((sum, { size }) => sum + size, 0);
    expect(rest).to.equal(30 + 300);
  });
});
