import { lookup as lookupName } from "node:dns/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createIsInNetworks } from "../dns/networkRanges.ts";
import { errorCode } from "../errors/errorCode.ts";
import { isGlobalAddress } from "./globalAddress.ts";

/** The reason for which a request had no answer. */
export type OutgoingFailure =
  /** The URL has a user name, or another protocol than HTTP. */
  | "address"
  /** Ports of mail servers, which would take a request for commands. */
  | "port"
  | "private-network"
  /** A port of this server itself. */
  | "own-listener"
  /** Without TLS, to a network that is not listed. */
  | "insecure"
  | "unknown-host"
  | "refused"
  | "closed"
  | "unreachable"
  | "certificate"
  | "header-too-large"
  | "not-http"
  | "timeout"
  /** This process stops. */
  | "stopped";

/** The answer of a stranger's server. */
export interface OutgoingAnswer {
  readonly status: number;
  /** The Retry-After field (RFC 9110, 10.2.3); null without one. */
  readonly retryAfter: string | null;
  /** The beginning of the body. */
  readonly text: string;
}

/** An answer, or why there was none. */
export type OutgoingResult = OutgoingAnswer | { readonly failure: OutgoingFailure };

export interface OutgoingPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** Posts to an address that a stranger has named. Never rejects. */
export type PostToPublicHost = (post: OutgoingPost) => Promise<OutgoingResult>;

export interface OutgoingGet {
  readonly url: string;
  /** The most bytes of the body that are read. */
  readonly maxBytes: number;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** A file of a stranger's server. */
export interface FetchedFile {
  readonly status: number;
  readonly bytes: Buffer;
  /** True if the body had more bytes than were to be read. */
  readonly isCut: boolean;
}

/** Fetches a file from an address that a stranger has named. Never rejects. */
export type GetFromPublicHost = (
  get: OutgoingGet,
) => Promise<FetchedFile | { readonly failure: OutgoingFailure }>;

export interface PublicHttpClientOptions {
  /** Networks that are not public and may be reached, without TLS too: "loopback", addresses, or CIDR notation. */
  readonly networks: readonly string[];
  /** True if this server listens itself at an address and port. */
  readonly isOwnListener: (address: string, port: number) => boolean;
  /** Returns all addresses of a name; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** From the beginning of the request to the end of the answer. */
  readonly withinMs?: number;
  /** PEM certificates to trust instead of the usual ones, for tests. */
  readonly ca?: string | undefined;
}

/** Of an answer: what is read of its body, and what its header may have. In bytes. */
export const answerLimits = { body: 64 * 1024, header: 16 * 1024 } as const;

/** From the beginning of a request to the end of its answer, where nothing else is asked for. */
export const answerWithinMs = 10_000;

/** Ports on which mail servers listen. */
const mailPorts: ReadonlySet<number> = new Set([25, 465, 587]);

interface Address {
  readonly address: string;
  readonly family: number;
}

class Refused extends Error {
  readonly failure: OutgoingFailure;
  constructor(failure: OutgoingFailure) {
    super(failure);
    this.failure = failure;
  }
}

const failuresByCode: Readonly<Record<string, OutgoingFailure>> = {
  ENOTFOUND: "unknown-host",
  EAI_AGAIN: "unknown-host",
  ENODATA: "unknown-host",
  ECONNREFUSED: "refused",
  ECONNRESET: "closed",
  EPIPE: "closed",
  HPE_HEADER_OVERFLOW: "header-too-large",
};

const certificateCodes =
  /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return errorCode(error);
};

const failureOf = (error: unknown): OutgoingFailure => {
  if (error instanceof Refused) return error.failure;
  const code = codeOf(error);
  if (certificateCodes.test(code)) return "certificate";
  if (code.startsWith("HPE_") && code !== "HPE_HEADER_OVERFLOW") return "not-http";
  return failuresByCode[code] ?? "unreachable";
};

const resolveBySystem = async (host: string): Promise<readonly string[]> =>
  (await lookupName(host, { all: true, order: "verbatim" })).map(({ address }) => address);

/** Reads the beginning of an answer's body, one byte beyond `maxBytes` at most; the rest is not waited for. */
const readBeginning = (answer: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (): void => resolve(Buffer.concat(chunks).subarray(0, maxBytes + 1));
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      end();
      answer.destroy();
    });
    answer.on("end", end);
    answer.on("error", reject);
    answer.on("aborted", () => reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" })));
  });

/** The request, and the limit of the answer that is read. */
interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The beginning of an answer, with one byte beyond the limit where there is more. */
interface Beginning {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly bytes: Buffer;
}

interface SendOptions extends Pick<PublicHttpClientOptions, "ca"> {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
}

const send = (
  target: Target,
  { method, headers, body, maxBytes }: OutgoingRequest,
  { lookup, ca, signal }: SendOptions,
): Promise<Beginning> =>
  new Promise((settle, reject) => {
    const { protocol, host, port, path } = target;
    const isSecure = protocol === "https:";
    const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
    const outgoing = (isSecure ? httpsRequest : httpRequest)({
      method,
      protocol,
      hostname: host,
      port,
      path,
      agent,
      signal,
      lookup,
      maxHeaderSize: answerLimits.header,
      headers: {
        ...headers,
        ...(body !== null && { "content-length": Buffer.byteLength(body) }),
        "accept-encoding": "identity",
      },
      ...(isSecure && {
        rejectUnauthorized: true,
        servername: isIP(host) === 0 ? host : "",
        ...(ca === undefined ? {} : { ca }),
      }),
    });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      readBeginning(answer, maxBytes).then((bytes) => {
        const { statusCode: status = 0, headers: fields } = answer;
        settle({ status, retryAfter: fields["retry-after"] ?? null, bytes });
      }, reject);
    });
    outgoing.end(body ?? undefined);
  });

/** Creates the function that sends one request, as `createPublicHttpClient` says. */
const createRequest = ({
  networks,
  isOwnListener,
  resolve = resolveBySystem,
  withinMs = answerWithinMs,
  ca,
}: PublicHttpClientOptions) => {
  const isListed = createIsInNetworks(networks);

  const findObstacle = (address: string, { protocol, port }: Target): OutgoingFailure | null => {
    if (!isListed(address) && !isGlobalAddress(address)) return "private-network";
    if (protocol === "http:" && !isListed(address)) return "insecure";
    return isOwnListener(address, port) ? "own-listener" : null;
  };

  /** Returns the addresses of a name that may be connected to, or why there are none. */
  const findAllowed = async (host: string, family: number, target: Target): Promise<readonly Address[]> => {
    const found = (await resolve(host))
      .map((address) => ({ address, family: isIP(address) }))
      .filter((one) => one.family !== 0 && (family === 0 || one.family === family));
    const allowed = found.filter(({ address }) => findObstacle(address, target) === null);
    const [first] = found;
    if (allowed.length > 0) return allowed;
    throw new Refused((first && findObstacle(first.address, target)) ?? "unknown-host");
  };

  const createLookup =
    (target: Target): LookupFunction =>
    (host, options, callback) => {
      const family = options.family === 4 || options.family === 6 ? options.family : 0;
      findAllowed(host, family, target).then(
        (allowed) => {
          const [first] = allowed;
          if (options.all) callback(null, [...allowed]);
          else callback(null, first?.address ?? "", first?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, "", 0),
      );
    };

  return async (outgoing: OutgoingRequest): Promise<Beginning | { readonly failure: OutgoingFailure }> => {
    const target = readTarget(outgoing.url);
    if (typeof target === "string") return { failure: target };
    const obstacle = isIP(target.host) === 0 ? null : findObstacle(target.host, target);
    if (obstacle !== null) return { failure: obstacle };
    const timeout = AbortSignal.timeout(withinMs);
    try {
      return await send(target, outgoing, {
        lookup: createLookup(target),
        ca,
        signal: AbortSignal.any([outgoing.signal, timeout]),
      });
    } catch (error) {
      if (outgoing.signal.aborted) return { failure: "stopped" };
      return { failure: timeout.aborted ? "timeout" : failureOf(error) };
    }
  };
};

/**
 * Creates the client for addresses that strangers name. It reaches public addresses and the listed networks alone: every
 * address that a name has at the moment of connecting is checked, and the connection goes to a checked one. It follows no
 * redirects, uses no proxy, verifies certificates, and reads little for a short time.
 */
export const createPublicHttpClient = (options: PublicHttpClientOptions): PostToPublicHost => {
  const request = createRequest(options);
  return async ({ url, headers, body, signal }) => {
    const maxBytes = answerLimits.body;
    const answer = await request({ method: "POST", url, headers, body, maxBytes, signal });
    if ("failure" in answer) return answer;
    const { status, retryAfter, bytes } = answer;
    return { status, retryAfter, text: bytes.subarray(0, maxBytes).toString("utf8") };
  };
};

/** Creates the client that fetches files, as careful as `createPublicHttpClient`, and over TLS alone. */
export const createPublicHttpReader = (options: PublicHttpClientOptions): GetFromPublicHost => {
  const request = createRequest(options);
  return async ({ url, maxBytes, signal }) => {
    if (!url.startsWith("https://")) return { failure: "insecure" };
    const answer = await request({ method: "GET", url, headers: {}, body: null, maxBytes, signal });
    if ("failure" in answer) return answer;
    const { status, bytes } = answer;
    return { status, bytes: bytes.subarray(0, maxBytes), isCut: bytes.length > maxBytes };
  };
};

interface Target {
  readonly protocol: "http:" | "https:";
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Reads a URL, or returns why no request may be sent to it. */
export const readTarget = (text: string): Target | "address" | "port" => {
  if (!URL.canParse(text)) return "address";
  const { protocol, hostname, port, pathname, search, username, password } = new URL(text);
  if ((protocol !== "http:" && protocol !== "https:") || hostname === "") return "address";
  if (username !== "" || password !== "") return "address";
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  if (number === 0 || mailPorts.has(number)) return "port";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { protocol, host, port: number, path: `${pathname}${search}` };
};
