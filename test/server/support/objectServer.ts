import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Place } from "../../../server/platform/objects/s3Client.ts";

/** How an object store fails: it hangs up, answers a byte at a time, is full, refuses, or fails now and then. */
export type ObjectFault = "lost" | "slow" | "full" | "refused" | "busy";

/** An S3-compatible store in memory. */
export interface ObjectServer {
  readonly place: S3Place;
  readonly objects: Map<string, { bytes: Buffer; modifiedAt: number }>;
  /** null while it works. */
  fault: ObjectFault | null;
  /** Called with each request before it is answered. */
  onRequest: (method: string, name: string) => void | Promise<void>;
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

const bucket = "mail";
const prefix = "bauta/";
const maxKeys = 3;

const secret = "secret";
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether a request has the signature (AWS Signature Version 4) that the secret makes. */
const isSigned = ({ method, url = "", headers }: IncomingMessage): boolean => {
  const [, scope = "", names = "", given = ""] =
    /^AWS4-HMAC-SHA256 Credential=key\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [path = "", query = ""] = url.split("?");
  const parameters = query.split("&").toSorted().join("&").replaceAll("+", "%20");
  const fields = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const hash = String(headers["x-amz-content-sha256"]);
  const canonical = [method, path, parameters, fields.join(""), names, hash].join("\n");
  const [date = "", region = "", service = "", end = ""] = scope.split("/");
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const text = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(canonical)].join("\n");
  return names.split(";").includes("host") && hmac(key, text).toString("hex") === given;
};

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const answerError = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`);
};

/** Starts a store that knows what bodies need of S3; pages of its lists have three objects. */
export const startObjectServer = async (): Promise<ObjectServer> => {
  const objects: ObjectServer["objects"] = new Map();
  const drips = new Set<NodeJS.Timeout>();
  let busyUntil = 0;

  const list = (url: URL, response: ServerResponse): void => {
    const [start, after] = [url.searchParams.get("prefix") ?? "", url.searchParams.get("start-after") ?? ""];
    const found = [...objects].filter(([key]) => key.startsWith(start) && key > after).toSorted();
    const page = found.slice(0, maxKeys);
    const entries = page.map(
      ([key, { modifiedAt, bytes }]) =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(modifiedAt).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
    );
    const isTruncated = found.length > page.length;
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${entries.join("")}</ListBucketResult>`,
    );
  };

  const drip = (response: ServerResponse): void => {
    response.writeHead(200, { "content-length": "100000" });
    const timer = setInterval(() => response.write("x"), 20);
    drips.add(timer);
    response.on("close", () => clearInterval(timer));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://store.test");
    const key = decodeURIComponent(url.pathname).slice(bucket.length + 2);
    const method = request.method ?? "";
    store.requests.push(`${method} ${key}`);
    if (store.fault === "lost") {
      request.socket.destroy();
      return;
    }
    const body = await readBody(request);
    await store.onRequest(method, key.slice(prefix.length));
    if (!isSigned(request) || store.fault === "refused") return answerError(response, 403, "AccessDenied");
    if (store.fault === "slow") return drip(response);
    if (store.fault === "busy" && ++busyUntil % 2 === 1) return answerError(response, 503, "SlowDown");
    if (method === "PUT") {
      if (store.fault === "full") return answerError(response, 507, "XMinioStorageFull");
      if (request.headers["content-length"] === undefined)
        return answerError(response, 411, "MissingContentLength");
      if (createHash("sha256").update(body).digest("hex") !== request.headers["x-amz-content-sha256"])
        return answerError(response, 400, "XAmzContentSHA256Mismatch");
      objects.set(key, { bytes: body, modifiedAt: Date.now() });
      response.end();
    } else if (method === "DELETE") {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (key === "") list(url, response);
    else {
      const found = objects.get(key);
      if (found) response.end(found.bytes);
      else answerError(response, 404, "NoSuchKey");
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const store: ObjectServer = {
    place: {
      bucket,
      prefix,
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      accessKey: "key",
      secretKey: secret,
    },
    objects,
    fault: null,
    onRequest: () => {},
    requests: [],
    close: async () => {
      for (const timer of drips) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return store;
};

/** Starts a store before each test of a `describe`. */
export const useObjectServer = (): (() => ObjectServer) => {
  let store: ObjectServer | undefined;
  beforeEach(async () => {
    store = await startObjectServer();
  });
  afterEach(() => store?.close());
  return () => {
    if (!store) throw new Error("there is a store only while a test runs");
    return store;
  };
};
