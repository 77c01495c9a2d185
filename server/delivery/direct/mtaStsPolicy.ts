import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/** A policy as its domain publishes it (RFC 8461, 3.2). */
export interface MtaStsPolicy {
  readonly mode: "enforce" | "testing" | "none";
  /** Names of mail servers in lower case; "*." stands for one label. */
  readonly mx: readonly string[];
  /** Seconds. */
  readonly maxAge: number;
}

/** A policy that cannot be fetched, or that is not valid. */
export class PolicyError extends Error {
  readonly isInvalid: boolean;

  constructor(message: string, isInvalid: boolean) {
    super(message);
    this.isInvalid = isInvalid;
  }
}

const modes = ["enforce", "testing", "none"] as const;
/** About a year (RFC 8461, 3.2). */
const maxMaxAge = 31_557_600;
/** More servers than any domain has. */
const maxServers = 200;
const maxNameLength = 255;
/** One server by name, or all names of a domain with one more label. */
const serverName = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

const invalid = (message: string): PolicyError => new PolicyError(message, true);

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

/** Removes blanks at both ends in one pass. */
const trimBlanks = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
};

/** Returns the values of each field, in the order of the file. */
const readFields = (file: string): ReadonlyMap<string, readonly string[]> => {
  const fields = new Map<string, string[]>();
  for (const line of file.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    const value = trimBlanks(line.endsWith("\r") ? line.slice(colon + 1, -1) : line.slice(colon + 1));
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
};

/**
 * Parses a policy file (RFC 8461, 3.2) in linear time. The first of several values counts, but all servers do; unknown
 * fields are skipped. Throws a `PolicyError` for an invalid policy.
 */
export const parsePolicy = (file: string): MtaStsPolicy => {
  const fields = readFields(file);
  const first = (name: string): string => fields.get(name)?.[0] ?? "";
  if (first("version") !== "STSv1") throw invalid("the policy has no version STSv1");
  const mode = modes.find((one) => one === first("mode"));
  if (!mode) throw invalid("the policy has no valid mode");
  const age = first("max_age");
  if (!/^\d{1,10}$/.test(age) || Number(age) > maxMaxAge) throw invalid("the policy has no valid max_age");
  const mx = [...new Set((fields.get("mx") ?? []).map((name) => name.toLowerCase()))];
  if (mx.length > maxServers) throw invalid("the policy names too many mail servers");
  if (mx.some((name) => name.length > maxNameLength || !serverName.test(name)))
    throw invalid("the policy names an invalid mail server");
  if (mode !== "none" && mx.length === 0) throw invalid("the policy names no mail server");
  return { mode, mx, maxAge: Number(age) };
};

/** RFC 8461, 3.3 suggests a minute and 64 kB. */
const limits = { withinMs: 20_000, idleMs: 15_000, bytes: 64 * 1024 };

/** Only DNS names of the certificate count, and a wildcard is a whole label (RFC 8461, 3.3). */
const identityProblem = (host: string, certificate: PeerCertificate): Error | undefined => {
  const problem = checkServerIdentity(host, certificate);
  if (problem) return problem;
  const named = new X509Certificate(certificate.raw).checkHost(host, {
    subject: "never",
    wildcards: true,
    partialWildcards: false,
    multiLabelWildcards: false,
    singleLabelSubdomains: false,
  });
  return named === undefined ? new Error("the certificate is not for the host of the policy") : undefined;
};

/** Resolves a name as mailauth does; rejects with a Node error code. */
export type Resolve = (name: string, type: string) => Promise<string[] | string[][]>;

/** Returns the first address of a name, IPv4 first; undefined without one. */
const findAddress = async (name: string, resolve: Resolve): Promise<string | undefined> => {
  for (const type of ["A", "AAAA"]) {
    const found = await resolve(name, type).catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code === "ENOTFOUND" || error.code === "ENODATA") return [];
      throw error;
    });
    const [address] = found.flat();
    if (address !== undefined) return address;
  }
  return undefined;
};

/** Fetches the policy of a domain; rejects with a `PolicyError`, or with an error of DNS. */
export const fetchPolicy = async (
  domain: string,
  resolveName: Resolve,
  connection: { readonly port?: number; readonly ca?: string } = {},
): Promise<MtaStsPolicy> => {
  const servername = `mta-sts.${domain}`;
  const address = await findAddress(servername, resolveName);
  if (address === undefined) throw new PolicyError("the host of the policy has no address", false);
  const file = await new Promise<Buffer>((resolve, reject) => {
    const fail = (message: string): void => {
      outgoing.destroy();
      reject(new PolicyError(message, false));
    };
    const outgoing = request({
      ...connection,
      host: address,
      servername,
      headers: { host: servername },
      path: "/.well-known/mta-sts.txt",
      // NOTE: an agent may reuse a connection that was verified with other options; a connection of its own never is one.
      agent: false,
      timeout: limits.idleMs,
      signal: AbortSignal.timeout(limits.withinMs),
      checkServerIdentity: identityProblem,
    });
    outgoing.on("timeout", () => fail("the host of the policy is silent"));
    outgoing.on("error", ({ message }) => fail(message));
    outgoing.on("response", (response) => {
      const type = (response.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
      // Redirects are not followed (RFC 8461, 3.3).
      if (response.statusCode !== 200) return fail(`the host of the policy answers ${response.statusCode}`);
      if (type !== "text/plain") return fail("the policy is not plain text");
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.bytes) fail(`the policy is longer than ${limits.bytes / 1024} kB`);
        else chunks.push(chunk);
      });
      response.on("end", () => resolve(Buffer.concat(chunks)));
      response.on("error", ({ message }) => fail(message));
    });
    outgoing.end();
  });
  return parsePolicy(file.toString("utf8"));
};
