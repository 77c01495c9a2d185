import { createHash } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsV4Signer } from "aws4fetch";
import { errorCode } from "../errors/errorCode.ts";
import { type NewObject, ObjectError, type ObjectStore } from "./objectStore.ts";
import { errorCodeOf, readListing } from "./s3Listing.ts";

/** A bucket of an S3-compatible store, and who may use it. */
export interface S3Place {
  readonly bucket: string;
  /** Before every name; empty, or ending in a slash. */
  readonly prefix: string;
  /** The origin of the store; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The time that one request may take: this, and as much as this many bytes a second take. */
export interface S3Limits {
  readonly requestMs: number;
  readonly bytesPerSecond: number;
}

const defaultS3Limits: S3Limits = { requestMs: 10_000, bytesPerSecond: 512 * 1024 };

const maxConnections = 64;
const maxListingBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
const listedTogether = 1_000;
/** One request more where the store has answered with an error of its own, or a kept connection had ended. */
const attempts = 2;

const emptySha256 = createHash("sha256").digest("hex");
const fullCodes = new Set([
  "QuotaExceeded",
  "XMinioAdminBucketQuotaExceeded",
  "XMinioStorageFull",
  "InsufficientStorage",
]);

interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** With the leading question mark; empty without one. */
  readonly query?: string;
  readonly name: string;
  readonly object?: NewObject & { readonly sha256: string };
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

const tooMuch = (): ObjectError => new ObjectError("refused", "The object store answers with too much.");

const readText = async (response: IncomingMessage, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const finish = async (response: IncomingMessage): Promise<void> => {
  await readText(response, maxErrorBytes);
};

const sha256Of = async ({ chunks }: NewObject): Promise<string> => {
  const hash = createHash("sha256");
  for await (const chunk of chunks()) hash.update(chunk);
  return hash.digest("hex");
};

/** Returns what an answer means that is not the expected one. */
const errorOf = (status: number, code: string): ObjectError => {
  const answer = `HTTP ${status}${code && ` ${code}`}`;
  if (status === 507 || fullCodes.has(code))
    return new ObjectError("full", `The object store is full: ${answer}.`);
  if (status === 404 && code !== "NoSuchBucket")
    return new ObjectError("missing", `The object store does not have the object: ${answer}.`);
  return status >= 500 || status === 429
    ? new ObjectError("unreachable", `The object store fails: ${answer}.`)
    : new ObjectError("refused", `The object store refuses: ${answer}.`);
};

const toObjectError = (error: unknown, signal: AbortSignal): ObjectError => {
  if (error instanceof ObjectError) return error;
  if (signal.aborted) return new ObjectError("unreachable", "The object store answers too slowly.", error);
  const code = errorCode(error);
  return new ObjectError("unreachable", `The object store cannot be reached${code && ` (${code})`}.`, error);
};

/** Ends what waits for a store after so many milliseconds of waiting; the time of others between them does not count. */
const createPatience = (ms: number) => {
  const controller = new AbortController();
  let left = ms;
  return {
    signal: controller.signal,
    wait: async <A>(work: Promise<A>): Promise<A> => {
      const began = performance.now();
      const timer = setTimeout(() => controller.abort(), Math.max(0, left));
      try {
        return await work;
      } finally {
        clearTimeout(timer);
        left -= performance.now() - began;
      }
    },
    extend: (more: number): void => {
      left += more;
    },
    abort: () => controller.abort(),
  };
};

/**
 * Reads and writes the objects of a bucket. Each request ends within its limit, also where the store answers a byte at a time;
 * certificates are checked; redirects are not followed (D68).
 */
export class S3Client implements ObjectStore {
  readonly #place: S3Place;
  readonly #limits: S3Limits;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(place: S3Place, limits: S3Limits = defaultS3Limits) {
    this.#place = place;
    this.#limits = limits;
    this.#protocol = place.endpoint.startsWith("https:") ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true, maxSockets: maxConnections });
  }

  readonly put: ObjectStore["put"] = async (name, object) => {
    const sha256 = await sha256Of(object);
    await this.#inTime(object.size, async (signal) =>
      finish(await this.#ask({ method: "PUT", name, object: { ...object, sha256 }, signal }, [200])),
    );
  };

  async *get(name: string, maxBytes: number): AsyncGenerator<Buffer> {
    const patience = createPatience(this.#limits.requestMs);
    const { signal, wait } = patience;
    let bytes = 0;
    try {
      const response = await wait(this.#ask({ method: "GET", name, signal }, [200]));
      const length = Number(response.headers["content-length"] ?? maxBytes);
      if (!(length <= maxBytes)) throw tooMuch();
      patience.extend(this.#msFor(length));
      const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await wait(chunks.next());
        if (done) return;
        bytes += value.length;
        if (bytes > maxBytes) throw tooMuch();
        yield value;
      }
    } catch (error) {
      throw toObjectError(error, signal);
    } finally {
      // Also where the reader stops in the middle.
      patience.abort();
    }
  }

  readonly remove: ObjectStore["remove"] = (name) =>
    this.#inTime(0, async (signal) =>
      finish(await this.#ask({ method: "DELETE", name, signal }, [200, 204, 404])),
    );

  readonly list: ObjectStore["list"] = (after) =>
    this.#inTime(maxListingBytes, async (signal) => {
      const { prefix } = this.#place;
      const query = new URLSearchParams({
        "list-type": "2",
        "max-keys": String(listedTogether),
        prefix,
        ...(after !== null && { "start-after": `${prefix}${after}` }),
      });
      const response = await this.#ask({ method: "GET", name: "", query: `?${query}`, signal }, [200]);
      const now = Date.parse(response.headers.date ?? "");
      if (!Number.isFinite(now)) throw new ObjectError("refused", "The object store does not tell its time.");
      const page = readListing(await readText(response, maxListingBytes), prefix, now);
      if (after !== null && page.next === after)
        throw new ObjectError("refused", "The object store lists the same objects again.");
      return page;
    });

  readonly close: ObjectStore["close"] = () => this.#agent.destroy();

  #msFor(bytes: number): number {
    return (bytes / this.#limits.bytesPerSecond) * 1_000;
  }

  async #send(request: S3Request): Promise<IncomingMessage> {
    const { method, query = "", name, object, signal } = request;
    const { bucket, prefix, endpoint, region, accessKey, secretKey } = this.#place;
    const key = name === "" ? "" : `/${prefix}${name}`;
    const url = `${endpoint}/${bucket}${key}${query}`;
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { "x-amz-content-sha256": object?.sha256 ?? emptySha256 },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: "s3",
      region,
    });
    const signed = await signer.sign();
    const headers = {
      ...Object.fromEntries(signed.headers),
      ...(object && { "content-length": String(object.size), "content-type": "application/octet-stream" }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = this.#protocol.request(url, { method, headers, agent: this.#agent, signal });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      if (object) pipeline(Readable.from(object.chunks()), outgoing).catch(reject);
      else outgoing.end();
    });
  }

  /** Sends a request and returns its answer; one of another status than `expected` is an error. */
  async #ask(request: S3Request, expected: readonly number[], attempt = 1): Promise<IncomingMessage> {
    try {
      const response = await this.#send(request);
      const status = response.statusCode ?? 0;
      if (expected.includes(status)) return response;
      throw errorOf(status, errorCodeOf(await readText(response, maxErrorBytes)));
    } catch (error) {
      const known = toObjectError(error, request.signal);
      if (known.problem !== "unreachable" || attempt >= attempts || request.signal.aborted) throw known;
      return this.#ask(request, expected, attempt + 1);
    }
  }

  async #inTime<A>(bytes: number, work: (signal: AbortSignal) => Promise<A>): Promise<A> {
    const { signal, wait } = createPatience(this.#limits.requestMs + this.#msFor(bytes));
    return wait(work(signal)).catch((error: unknown) => {
      throw toObjectError(error, signal);
    });
  }
}
