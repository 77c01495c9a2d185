import { once } from "node:events";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { axiosClient, bareFetch, type Client, decodingClient, pipelineClient } from "./clients.ts";

const warmUp = 500;
const requestsARound = 200;
const rounds = 35;
/** Identical concurrent requests. */
const burst = 20;

interface Measured {
  readonly microseconds: number;
  readonly allocated: number;
}

const allocatedSoFar = (): number =>
  (getHeapStatistics() as ReturnType<typeof getHeapStatistics> & { total_allocated_bytes: number })
    .total_allocated_bytes;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Sends requests one after the other. */
const round = async ({ ask }: Client, count: number): Promise<Measured> => {
  const began = performance.now();
  const allocated = allocatedSoFar();
  for (let n = 0; n < count; n += 1) await ask();
  return {
    microseconds: ((performance.now() - began) * 1_000) / count,
    allocated: (allocatedSoFar() - allocated) / count,
  };
};

/** Returns the minified and compressed size of the code without `shared`, which the page loads anyway. */
const weigh = async (source: string, shared: readonly string[]): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: new URL("../..", import.meta.url).pathname, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["es2015", "module", "browser"],
    alias: { "fp-ts/lib": "fp-ts/es6", "io-ts/lib": "io-ts/es6" },
    external: [...shared],
    write: false,
    logLevel: "silent",
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
};

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(46) : cell.padStart(16))).join("");

/**
 * Measures the cost of the request pipeline: time and allocations of each of many sequential requests to a
 * local server, the number of requests sent for a burst of identical ones, and the bytes a browser loads.
 */
export const run = async (): Promise<void> => {
  const server = new Worker(new URL("./server.ts", import.meta.url));
  const [port] = await once(server, "message");
  const answered = async (): Promise<number> => {
    const listening = once(server, "message");
    server.postMessage("how many?");
    return (await listening)[0];
  };
  const origin = `http://127.0.0.1:${port}`;
  const peer = await axiosClient(origin);
  const clients = [
    bareFetch(origin),
    pipelineClient(origin),
    decodingClient(origin),
    ...(peer ? [peer] : []),
  ];
  const measured = new Map<Client, Measured[]>(clients.map((client) => [client, []]));
  for (const client of clients) await round(client, warmUp);
  for (let n = 0; n < rounds; n += 1)
    for (const client of clients) measured.get(client)?.push(await round(client, requestsARound));

  console.log(
    `${rounds} rounds of ${requestsARound} requests, one after the other, 10 masks each; medians of the rounds`,
  );
  console.log(row(["", "time per request", "allocated", `wire, burst ${burst}`, "gzip", "gzip, own code"]));
  for (const client of clients) {
    const results = measured.get(client) ?? [];
    await answered();
    await Promise.all(Array.from({ length: burst }, client.ask));
    const sent = await answered();
    const own = client.source && (await weigh(client.source, ["rxjs", "fp-ts", "io-ts"]));
    console.log(
      row([
        client.name,
        `${median(results.map(({ microseconds }) => microseconds)).toFixed(0)} µs`,
        kilobytes(median(results.map(({ allocated }) => allocated))),
        String(sent),
        client.source ? kilobytes(await weigh(client.source, [])) : "0",
        own ? kilobytes(own) : "0",
      ]),
    );
  }
  if (!peer)
    console.log("axios, axios-retry and axios-cache-interceptor are not all installed: no row for them.");
  await server.terminate();
};
