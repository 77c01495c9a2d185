import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { createOtlpClient } from "../../../../adapters/otel/otlpClient.ts";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { createServerTracing } from "../../../../server/app/serverTracing.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { createTracing, type FinishedSpan, traceContextOf } from "../../../../server/platform/ops/tracing.ts";
import { current } from "../../../support/current.ts";
import { useSqlite } from "../../support/databases.ts";
import { maskDomain, startListener } from "../../support/listener.ts";
import { createLogLines } from "../../support/logLines.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { startDelivery } from "../../support/runningDelivery.ts";
import { startSink } from "../../support/sink.ts";
import { startServer } from "../../support/startServer.ts";
import { until } from "../../support/until.ts";

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Starts a collector that decodes what it receives. */
const startCollector = async () => {
  const spans: WireSpan[] = [];
  let received = "";
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received += body;
    if (request.url === "/v1/traces")
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) spans.push(...scopeSpans[0].spans);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${port}`, spans, received: () => received, close };
};

const valuesOf = ({ attributes }: WireSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe("The traces of the server", () => {
  const { database } = useSqlite();
  let running: Awaited<ReturnType<typeof startCollector>> | undefined;
  const collector = current(() => running);
  beforeEach(async () => {
    running = await startCollector();
  });
  afterEach(() => collector.close());

  const tracing = (telemetryPercent = 100) =>
    createServerTracing(
      { telemetryEndpoint: collector.endpoint, telemetryPercent, brand: "Bauta" },
      createOtlpClient,
      { clock: systemClock, random: cryptoRandom },
    );

  it("have a request in the trace of the app, or of the program that names one, by its route alone", async () => {
    const server = await startServer({ tracing: tracing() });
    const requestId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const user = await server.signIn("owner@home.example");
    await user.call("GET", "/masks?search=secret", { headers: { "x-request-id": requestId } });
    await user.call("GET", "/account", { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    const find = (id: string) => collector.spans.find((span) => span.traceId === id);
    await until("both have arrived", () => find(requestId) !== undefined && find(traceId) !== undefined);
    const [ofApp, ofProxy] = [requestId, traceId].map((id) => find(id) ?? expect.fail("no span"));
    expect(ofApp).to.include({ name: "GET /masks", kind: 2 }).and.not.to.have.property("parentSpanId");
    expect(valuesOf(ofApp ?? expect.fail())).to.deep.equal({
      "http.request.method": "GET",
      "http.route": "/masks",
      "http.response.status_code": "200",
    });
    expect(ofProxy).to.include({ name: "GET /account", parentSpanId: "b7ad6b7169203331" });
    expect(collector.received()).not.to.match(/secret|@|home\.example/);
    await server.stop();
  });

  it("have the way of a mail in one trace: its parts, and each attempt to deliver it", async () => {
    const { log, entries } = createLogLines();
    const mask = await addMask(database().db, await addOwner(database().db));
    const sink = await startSink();
    const hop = { host: "127.0.0.1", port: sink.port, secure: false };
    const relay = await startListener(database(), undefined, { log, tracing: tracing() });
    // Another process than the one that has taken the mail.
    const delivery = startDelivery(database(), createNextHopTransport(hop, maskDomain, 1), relay.clock, 1, {
      tracing: tracing(),
    });
    const client = await relay.connect();
    const mail = "From: secret@shop.example\r\nSubject: SecretSubject\r\n\r\nSecretWord\r\n";
    expect(await client.mail("secret@shop.example", [mask.email], mail)).to.match(/^250/);
    delivery.wake();
    await until("all spans have arrived", () => collector.spans.length === 5);
    await delivery.stop();
    await relay.close();
    await sink.close();

    const named = (name: string): WireSpan =>
      collector.spans.find((span) => span.name === name) ?? expect.fail(`no ${name}`);
    const arrival = named("receive mail");
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).to.deep.equal(new Set([arrival.traceId]));
    for (const name of ["evaluate mail", "encrypt mail", "commit mail", "deliver mail"])
      expect(named(name).parentSpanId, name).to.equal(arrival.spanId);
    expect(valuesOf(arrival)).to.include({
      "bauta.mail.id": entries()[0]?.["mail"],
      "bauta.smtp.code": "250",
    });
    expect(valuesOf(named("deliver mail"))).to.include({
      "bauta.outcome": "delivered",
      "bauta.attempts": "1",
    });
    expect(collector.received()).not.to.match(/secret|@|shop\.example|masks\.example/i);
  });

  it("do not delay mail when the collector takes nothing", async () => {
    collector.close();
    const mask = await addMask(database().db, await addOwner(database().db, "business"));
    const relay = await startListener(database(), undefined, { tracing: tracing() });
    const client = await relay.connect();
    for (let n = 0; n < 400; n += 1)
      expect(await client.mail("bob@shop.example", [mask.email], `Subject: ${n}\r\n\r\n`)).to.match(/^250/);
    await relay.close();
  });

  it("are sent as a whole or not at all, as often as the setting says", () => {
    const spans: FinishedSpan[] = [];
    const send = (span: FinishedSpan): void => void spans.push(span);
    const sampled = createTracing({ send, percent: 25, clock: systemClock, random: cryptoRandom });
    for (let n = 0; n < 2_000; n += 1) {
      sampled.arrival(`mail ${n}`).end({});
      sampled.attempt(`mail ${n}`).end({});
    }
    const traces = new Set(spans.map(({ traceId }) => traceId));
    expect(traces.size).to.be.within(400, 600);
    expect(spans).to.have.lengthOf(2 * traces.size);
  });

  it("begin anew where a request names no trace that can be one", () => {
    for (const headers of [
      {},
      { traceparent: "00-00000000000000000000000000000000-b7ad6b7169203331-01" },
      { traceparent: "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01" },
      { traceparent: "nonsense", "x-request-id": "save-1" },
    ])
      expect(traceContextOf(headers), JSON.stringify(headers)).to.equal(null);
  });
});
