import { once } from "node:events";
import { Agent, request } from "node:http";
import { Worker } from "node:worker_threads";
import { csrfCookie, csrfHeader } from "../../core/api/csrfNames.ts";
import { startServer } from "../../test/e2e/support/server.ts";
import { createBenchAccount } from "../page/account.ts";
import { measureLongList } from "./longList.ts";

const connections = 50;
const durationMs = 4_000;
const masks = 100;

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly status: number;
}

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly method?: "GET" | "POST" | "PUT";
  readonly body?: string;
}

const send = (
  { url, headers, method = "GET", body = "" }: Sent,
  agent: Agent,
): Promise<{ status: number; etag: string; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          etag: String(response.headers["etag"] ?? ""),
          body: Buffer.concat(parts),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

/** Sends requests over many connections; each sends the next one as soon as its answer has arrived. */
const measure = async (next: () => Sent): Promise<Measured> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let status = 0;
  const until = performance.now() + durationMs;
  const ask = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      ({ status } = await send(next(), agent));
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { perSecond: (times.length * 1_000) / durationMs, p50: at(0.5), p99: at(0.99), status };
};

const print = (
  name: string,
  { perSecond, p50, p99, status }: Measured,
  reference?: Measured,
  referenceName = "the reference",
): void =>
  console.log(
    [
      name.padEnd(58),
      `${status}`,
      `${perSecond.toFixed(0)}/s`.padStart(8),
      `p50 ${p50.toFixed(1)} ms`.padStart(14),
      `p99 ${p99.toFixed(1)} ms`.padStart(14),
      reference ? `${(perSecond / reference.perSecond).toFixed(2)} × ${referenceName}` : "",
    ].join("  "),
  );

const session = "the session's";

const makeToken = async (server: string, headers: Headers, agent: Agent): Promise<string> => {
  const wanted = { name: "Bench", scopes: ["masks:read"], domain: null, lifetimeDays: null };
  const url = `${server}/account/api-tokens`;
  const body = JSON.stringify(wanted);
  const json = { ...headers, "content-type": "application/json" };
  const { body: answer } = await send({ url, headers: json, method: "POST", body }, agent);
  return (JSON.parse(answer.toString()) as { readonly token: string }).token;
};

/**
 * Measures how many requests for the list of masks are answered, beside a bare Fastify route with the same bytes,
 * how many with an API token beside the page's session, and how many changes of a mask.
 */
export const run = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent" });
  const agent = new Agent({ keepAlive: true });
  try {
    const { kept, token } = await createBenchAccount(server, masks);
    const cookie = kept.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const csrf = kept.cookies.find(({ name }) => name === csrfCookie)?.value ?? "";
    const headers = { authorization: `Bearer ${token}`, cookie, [csrfHeader]: csrf };
    const url = `${server.url}/masks`;
    const { body, etag, status } = await send({ url, headers }, agent);
    if (status !== 200) throw new Error(`GET /masks answered with ${status}: ${body.toString()}`);
    const bare = new Worker(new URL("./bare.ts", import.meta.url), {
      workerData: { body: body.toString(), etag },
    });
    const [port] = (await once(bare, "message")) as [number];
    const bareUrl = `http://127.0.0.1:${port}/masks`;
    console.log(
      `${masks} masks, ${body.length} bytes, ${connections} connections, ${durationMs / 1_000} s each`,
    );
    const whole = await measure(() => ({ url: bareUrl, headers: {} }));
    print("bare Fastify, the same bytes", whole);
    const bySession = await measure(() => ({ url, headers }));
    print("GET /masks", bySession, whole);
    const byToken = { authorization: `Bearer ${await makeToken(server.url, headers, agent)}` };
    print(
      "GET /masks, by an API token",
      await measure(() => ({ url, headers: byToken })),
      bySession,
      session,
    );
    const unchanged = await measure(() => ({ url: bareUrl, headers: { "if-none-match": etag } }));
    print("bare Fastify, 304", unchanged);
    const withTag = { ...headers, "if-none-match": etag };
    const unchangedBySession = await measure(() => ({ url, headers: withTag }));
    print("GET /masks, unchanged", unchangedBySession, unchanged);
    const tokenWithTag = { ...byToken, "if-none-match": etag };
    print(
      "GET /masks, unchanged, by an API token",
      await measure(() => ({ url, headers: tokenWithTag })),
      unchangedBySession,
      session,
    );
    const { masks: known } = JSON.parse(body.toString()) as { masks: readonly { readonly id: string }[] };
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
    print("PUT /masks/:id, each change on the disk before its answer", await measure(edit));
    await bare.terminate();
  } finally {
    agent.destroy();
    await server.stop();
    await server.removeData();
  }
  await measureLongList();
};
