import type { Either } from "fp-ts/lib/Either.js";
import { right } from "fp-ts/lib/TaskEither.js";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { fetchHttp } from "../../adapters/system/fetchHttp.ts";
import { createCall } from "../../core/api/call.ts";
import { createRequestDeduplication } from "../../core/api/requestDeduplication.ts";
import { createRequestPipeline, type PipelineOptions } from "../../core/api/requestPipeline.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import { listMasks } from "../../core/masks/maskEndpoints.ts";
import { expectStatus } from "../http.ts";

/** A client that requests the list of masks. */
export interface Client {
  readonly name: string;
  /** Resolves to the number of received masks. */
  readonly ask: () => Promise<number>;
  /** The code that the bundle size is measured of; empty for what every browser has. */
  readonly source: string;
}

export const bareFetch = (origin: string): Client => ({
  name: "fetch and JSON.parse",
  ask: async () => {
    const response = await fetch(`${origin}/masks`, { headers: { accept: "application/json" } });
    expectStatus("GET /masks", response.status, 200);
    return JSON.parse(await response.text()).masks.length;
  },
  source: "",
});

const pipelineSource = `
  export { dress } from "./core/requests/dress.ts";
  export { makeSharing } from "./core/requests/sharing.ts";
`;

const stored = { read: () => "0123456789abcdef0123456789abcdef", write: () => true };

/** The options of a signed-in user without failures. */
const pipelineOptions = (origin: string): PipelineOptions => ({
  baseAddress: origin,
  timeoutMs: 15_000,
  clock: systemClock,
  random: cryptoRandom,
  clientId: "bench",
  reporter: { isReceived: false, report: () => {} },
  telemetry: { event: () => {}, span: () => () => {} },
  showToastOnce: () => true,
  deduplication: createRequestDeduplication(systemClock, () => "a.b.c"),
  minimalRetryRoutes: [listMasks.path],
  session: {
    token: () => "a.b.c",
    owner: () => "ada@example.org",
    refresh: right(undefined),
    onExpired: () => {},
  },
  csrf: { fromCookie: () => null, stored, renew: right(undefined) },
});

const rightOf = <A>(result: Either<Failure, A>): A => {
  if (result._tag === "Left") throw new Error(JSON.stringify(result.left));
  return result.right;
};

/** Creates a client with the product's request pipeline; like fetch and axios it does not check the answer. */
export const pipelineClient = (origin: string): Client => {
  const http = createRequestPipeline(fetchHttp, pipelineOptions(origin));
  return {
    name: "Bauta, request pipeline",
    ask: async () => {
      const answer = await http({ method: "GET", url: "/masks", route: "/masks", headers: {} })();
      return JSON.parse(rightOf(answer).body).masks.length;
    },
    source: pipelineSource,
  };
};

/** Creates the same client with an answer that is checked by its codec. */
export const decodingClient = (origin: string): Client => {
  const call = createCall(createRequestPipeline(fetchHttp, pipelineOptions(origin)));
  return {
    name: "Bauta, request pipeline, answer decoded",
    ask: async () => rightOf(await call(listMasks)({ params: {} })()).masks.length,
    source: `${pipelineSource}export { createCall } from "./core/requests/call.ts";`,
  };
};

interface Axios {
  readonly get: (path: string) => Promise<{ readonly data: { readonly masks: readonly unknown[] } }>;
}

interface AxiosModule {
  readonly default: { readonly create: (settings: object) => Axios };
}

const optional = <A>(name: string): Promise<A | null> =>
  import(name).then(
    (loaded: A) => loaded,
    () => null,
  );

const axiosSource = `
  import axios from "axios";
  import retry from "axios-retry";
  import { setupCache } from "axios-cache-interceptor";
  export { axios, retry, setupCache };
`;

/** Creates a comparable client from axios, axios-retry and axios-cache-interceptor; null where one is missing. */
export const axiosClient = async (origin: string): Promise<Client | null> => {
  const axios = await optional<AxiosModule>("axios");
  const retry = await optional<{ readonly default: (client: Axios, settings: object) => void }>(
    "axios-retry",
  );
  const cache = await optional<{ readonly setupCache: (client: Axios, settings: object) => Axios }>(
    "axios-cache-interceptor",
  );
  if (axios === null || retry === null || cache === null) return null;
  const client = axios.default.create({ baseURL: origin, timeout: 15_000, withCredentials: true });
  retry.default(client, { retries: 3 });
  // Nothing is cached, so every request is sent; identical concurrent ones are still shared.
  const cached = cache.setupCache(client, { ttl: 0, interpretHeader: false });
  return {
    name: "axios, axios-retry, axios-cache-interceptor",
    ask: async () => (await cached.get("/masks")).data.masks.length,
    source: axiosSource,
  };
};
