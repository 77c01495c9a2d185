import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { join } from "node:path";
import { csrfCookie, csrfHeader } from "../../core/api/csrfNames.ts";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { exchange, type Sent } from "../http.ts";
import { ticksOf } from "../mail/process.ts";
import { createBenchAccount } from "../page/account.ts";
import { measureLongList } from "./longList.ts";

const connections = 50;
const durationMs = 1_000;
/** The cases take turns, so that what else the machine does meanwhile slows each of them down. */
const rounds = 7;
const masks = 100;

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The server's processor time for a request, in microseconds. */
  readonly processorUs: number;
}

type Headers = Readonly<Record<string, string>>;

/** What is measured. */
interface Case {
  readonly name: string;
  readonly pid: number;
  /** Returns the request that is sent next; begins each round with a client that no limit has counted. */
  readonly begin: () => () => Sent;
  /** The name of the case that it is compared with. */
  readonly reference?: string;
}

/** Sends requests over many connections; each sends the next one as soon as its answer has arrived. */
const measure = async ({ pid, begin }: Case, localAddress: string): Promise<Measured> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const next = begin();
  const times: number[] = [];
  const ticks = ticksOf(pid);
  const start = performance.now();
  const ask = async (): Promise<void> => {
    while (performance.now() < start + durationMs) {
      const began = performance.now();
      await exchange({ ...next(), agent });
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  const tookMs = performance.now() - start;
  const processorUs = ((ticksOf(pid) - ticks) * 10_000) / times.length;
  agent.destroy();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { perSecond: (times.length * 1_000) / tookMs, p50: at(0.5), p99: at(0.99), processorUs };
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const print = (
  { name, reference }: Case,
  measured: readonly Measured[],
  peer: readonly Measured[] = [],
): void => {
  const middle = (of: keyof Measured): number => median(measured.map((round) => round[of]));
  const ratio = median(measured.map(({ perSecond }, n) => perSecond / (peer[n]?.perSecond ?? Number.NaN)));
  console.log(
    [
      name.padEnd(58),
      `${middle("perSecond").toFixed(0)}/s`.padStart(8),
      `p50 ${middle("p50").toFixed(1)} ms`.padStart(12),
      `p99 ${middle("p99").toFixed(1)} ms`.padStart(12),
      `${middle("processorUs").toFixed(0)} µs of the server's processor`.padStart(33),
      reference === undefined ? "" : `${ratio.toFixed(2)} × ${reference}`,
    ].join("  "),
  );
};

const measureInTurns = async (cases: readonly Case[]): Promise<void> => {
  const results = new Map<string, Measured[]>(cases.map(({ name }) => [name, []]));
  // The round before the first one warms the servers.
  for (let round = -1; round < rounds; round += 1)
    for (const [n, one] of (round % 2 === 0 ? cases : cases.toReversed()).entries()) {
      // Of an address of its own: one client may not send so many requests.
      const measured = await measure(one, `127.0.${round + 2}.${n + 1}`);
      if (round >= 0) results.get(one.name)?.push(measured);
    }
  for (const one of cases) print(one, results.get(one.name) ?? [], results.get(one.reference ?? ""));
};

const makeToken = async (server: RunningServer, headers: Headers): Promise<string> => {
  const { body } = await exchange({
    url: `${server.url}/account/api-tokens`,
    headers: { ...headers, "content-type": "application/json" },
    method: "POST",
    body: JSON.stringify({ name: "Bench", scopes: ["masks:read"], domain: null, lifetimeDays: null }),
    status: 201,
  });
  return (JSON.parse(body.toString()) as { readonly token: string }).token;
};

/** Makes as many tokens as there are rounds of two cases: one token may not send so many requests. */
const makeTokens = async (server: RunningServer, headers: Headers): Promise<() => Headers> => {
  const tokens: string[] = [];
  while (tokens.length < 2 * (rounds + 1)) tokens.push(await makeToken(server, headers));
  return () => ({ authorization: `Bearer ${tokens.pop()}` });
};

/**
 * Measures how many requests for the list of masks are answered, beside a bare Fastify route with the same bytes,
 * how many with an API token beside the page's session, and how many changes of a mask.
 */
const measureCalls = async (server: RunningServer): Promise<void> => {
  const { kept, token } = await createBenchAccount(server, masks);
  const cookie = kept.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const csrf = kept.cookies.find(({ name }) => name === csrfCookie)?.value ?? "";
  const headers = { authorization: `Bearer ${token}`, cookie, [csrfHeader]: csrf };
  const nextToken = await makeTokens(server, headers);
  const url = `${server.url}/masks`;
  const { body, headers: received } = await exchange({ url, headers });
  const etag = String(received.etag);
  const bare = fork(join(import.meta.dirname, "bare.ts"));
  try {
    bare.send({ body: body.toString(), etag });
    const [port] = (await once(bare, "message")) as [number];
    const bareUrl = `http://127.0.0.1:${port}/masks`;
    const known = (JSON.parse(body.toString()) as { masks: readonly { readonly id: string }[] }).masks;
    let edits = 0;
    const edit = (): Sent => {
      edits += 1;
      return {
        url: `${url}/${known[edits % known.length]?.id}`,
        method: "PUT",
        headers: { ...headers, "content-type": "application/json", "x-request-id": `edit-${edits}` },
        body: JSON.stringify({ description: `Shop ${edits}` }),
      };
    };
    const same = (sent: Sent) => () => () => sent;
    const byToken =
      (more: Pick<Sent, "status">, tags: Headers = {}) =>
      () => {
        const sent: Sent = { url, headers: { ...nextToken(), ...tags }, ...more };
        return () => sent;
      };
    const tag = { "if-none-match": etag };
    const bareList = "bare Fastify, the same bytes";
    const bareUnchanged = "bare Fastify, 304";
    const list = "GET /masks";
    const unchanged = "GET /masks, unchanged";
    const of = { pid: server.pid };
    const ofBare = { pid: bare.pid ?? Number.NaN };
    console.log(
      `${masks} masks, ${body.length} bytes, ${connections} connections, medians of ${rounds} rounds of ${durationMs / 1_000} s each`,
    );
    await measureInTurns([
      { ...ofBare, name: bareList, begin: same({ url: bareUrl }) },
      { ...of, name: list, begin: same({ url, headers }), reference: bareList },
      { ...of, name: `${list}, by an API token`, begin: byToken({}), reference: list },
      { ...ofBare, name: bareUnchanged, begin: same({ url: bareUrl, headers: tag, status: 304 }) },
      {
        ...of,
        name: unchanged,
        begin: same({ url, headers: { ...headers, ...tag }, status: 304 }),
        reference: bareUnchanged,
      },
      {
        ...of,
        name: `${unchanged}, by an API token`,
        begin: byToken({ status: 304 }, tag),
        reference: unchanged,
      },
    ]);
    await measureInTurns([
      { ...of, name: "PUT /masks/:id, each change on the disk before its answer", begin: () => edit },
    ]);
  } finally {
    bare.disconnect();
  }
};

/** Measures calls of the API, and the list of an account with very many masks. */
export const run = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent" });
  try {
    await measureCalls(server);
  } finally {
    await server.stop();
    await server.removeData();
  }
  await measureLongList();
};
