import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import * as t from "io-ts";
import { createSigningRequest } from "./signingRequest.ts";

/** A refusal of the authority, or why it cannot be asked; `message` is the explanation. */
export class AcmeError extends Error {}

/** An authority that gives no answer. */
export class Unreachable extends AcmeError {}

/** A name that the authority could not reach this server by. */
export class UnprovenName extends AcmeError {
  readonly unproven: string;
  constructor(name: string, reason: string) {
    super(`${name} was not proved: ${reason}`);
    this.unproven = name;
  }
}

/** Publishes the answer to a challenge (HTTP-01) until the returned function is called. */
export type PublishAnswer = (token: string, answer: string) => () => void;

export interface AcmeRequest {
  /** The directory of the authority (RFC 8555, 7.1.1). */
  readonly directoryUrl: string;
  /** The address to which the authority sends warnings about the end of certificates. */
  readonly email: string;
  /** The P-256 key of the account, which is registered at its first use. */
  readonly accountKey: KeyObject;
  /** The P-256 key of the certificate. */
  readonly certificateKey: KeyObject;
  readonly names: readonly string[];
  readonly publishAnswer: PublishAnswer;
  /** Resolves after a pause between two requests. */
  readonly pause: (ms: number) => Promise<void>;
}

const Directory = t.type({ newNonce: t.string, newAccount: t.string, newOrder: t.string });
const Order = t.intersection([
  t.type({ status: t.string, authorizations: t.array(t.string), finalize: t.string }),
  t.partial({ certificate: t.string }),
]);
const Challenge = t.intersection([
  t.type({ type: t.string, url: t.string, status: t.string }),
  t.partial({ token: t.string, error: t.type({ detail: t.string }) }),
]);
const Authorization = t.type({
  status: t.string,
  identifier: t.type({ value: t.string }),
  challenges: t.array(Challenge),
});
const Problem = t.partial({ type: t.string, detail: t.string });

const requestWithinMs = 30_000;
const pauseMs = 1_000;
const maxPauses = 90;
const maxNonces = 5;

const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url");

const networkProblems: Readonly<Record<string, string>> = {
  ENOTFOUND: "DNS does not know the name",
  EAI_AGAIN: "DNS does not answer",
  ECONNREFUSED: "it refuses the connection",
  ECONNRESET: "it ended the connection",
  ETIMEDOUT: "it does not answer",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  TimeoutError: "it does not answer",
  ENETUNREACH: "its network cannot be reached",
  EHOSTUNREACH: "the server cannot be reached",
};

/** The codes of an error and of what caused it; Node tries several addresses and collects why each failed. */
const codesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [error.name];
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return [...causes.flatMap(codesOf), ...own];
};

/** Sends a request to the authority; rejects with an `AcmeError` that says why it cannot be reached. */
const reach = async (url: string, options: RequestInit = {}): Promise<Response> => {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(requestWithinMs) });
  } catch (error) {
    const [code = "unknown error"] = codesOf(error);
    const host = URL.canParse(url) ? new URL(url).host : url;
    throw new Unreachable(`${host} cannot be reached: ${networkProblems[code] ?? code}`, { cause: error });
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeError("the authority's answer cannot be read");
  }
};

const decoded = <A>(codec: t.Decoder<unknown, A>, value: unknown): A => {
  const result = codec.decode(value);
  if (result._tag === "Left") throw new AcmeError("the authority's answer cannot be read");
  return result.right;
};

/** The public key as JWK, its members in the order of RFC 7638. */
const jwkOf = (key: KeyObject) => {
  const { crv = "", kty = "", x = "", y = "" } = createPublicKey(key).export({ format: "jwk" });
  return { crv, kty, x, y };
};

/** Returns the answer to a challenge: its token and the account's thumbprint (RFC 8555, 8.1). */
const keyAuthorization = (token: string, accountKey: KeyObject): string =>
  `${token}.${createHash("sha256")
    .update(JSON.stringify(jwkOf(accountKey)))
    .digest("base64url")}`;

interface AcmeAnswer {
  readonly location: string;
  readonly text: string;
  readonly json: () => unknown;
}

/** Creates the function that sends signed requests (RFC 8555, 6.2); it replaces an expired nonce. */
const createPost = ({ accountKey }: AcmeRequest, newNonceUrl: string) => {
  let nonce: string | null = null;
  let account: string | null = null;

  const freshNonce = async (): Promise<string> => {
    const response = await reach(newNonceUrl, { method: "HEAD" });
    return response.headers.get("replay-nonce") ?? "";
  };
  const signed = (url: string, payload: unknown, usedNonce: string): string => {
    const identity = account === null ? { jwk: jwkOf(accountKey) } : { kid: account };
    const head = base64url(JSON.stringify({ alg: "ES256", nonce: usedNonce, url, ...identity }));
    const body = payload === null ? "" : base64url(JSON.stringify(payload));
    const signature = sign("sha256", Buffer.from(`${head}.${body}`), {
      key: accountKey,
      dsaEncoding: "ieee-p1363",
    });
    return JSON.stringify({ protected: head, payload: body, signature: base64url(signature) });
  };
  const post = async (url: string, payload: unknown, repeats = maxNonces): Promise<AcmeAnswer> => {
    const usedNonce = nonce ?? (await freshNonce());
    nonce = null;
    const response = await reach(url, {
      method: "POST",
      headers: { "content-type": "application/jose+json" },
      body: signed(url, payload, usedNonce),
    });
    nonce = response.headers.get("replay-nonce");
    const text = await response.text();
    if (response.ok)
      return { location: response.headers.get("location") ?? "", text, json: () => parsed(text) };
    const { type = "", detail = `the authority answers ${response.status}` } = decoded(Problem, parsed(text));
    if (repeats > 0 && type.endsWith(":badNonce")) return post(url, payload, repeats - 1);
    throw new AcmeError(detail);
  };
  return {
    post,
    useAccount: (url: string): void => {
      account = url;
    },
  };
};

type Post = ReturnType<typeof createPost>["post"];

/** Polls until the status is not one of the waiting ones. */
const waitWhile = async <A extends { readonly status: string }>(
  waiting: readonly string[],
  read: () => Promise<A>,
  pause: AcmeRequest["pause"],
): Promise<A> => {
  for (let pauses = 0; pauses < maxPauses; pauses++) {
    const answer = await read();
    if (!waiting.includes(answer.status)) return answer;
    await pause(pauseMs);
  }
  throw new AcmeError("the authority does not decide");
};

const prove = async (post: Post, url: string, request: AcmeRequest): Promise<void> => {
  const read = async () => decoded(Authorization, (await post(url, null)).json());
  const { status, identifier, challenges } = await read();
  if (status === "valid") return;
  const challenge = challenges.find(({ type }) => type === "http-01");
  const token = challenge?.token;
  if (!challenge || token === undefined) throw new AcmeError("the authority offers no HTTP challenge");
  const withdraw = request.publishAnswer(token, keyAuthorization(token, request.accountKey));
  try {
    await post(challenge.url, {});
    const result = await waitWhile(["pending"], read, request.pause);
    if (result.status === "valid") return;
    const reason = result.challenges.find(({ error }) => error)?.error?.detail ?? result.status;
    throw new UnprovenName(identifier.value, reason);
  } finally {
    withdraw();
  }
};

/** Orders a certificate and returns its chain in PEM; rejects with an `AcmeError` when the authority refuses. */
export const orderCertificate = async (request: AcmeRequest): Promise<string> => {
  const response = await reach(request.directoryUrl);
  const directory = decoded(Directory, parsed(await response.text()));
  const { post, useAccount } = createPost(request, directory.newNonce);
  const contact = [`mailto:${request.email}`];
  useAccount((await post(directory.newAccount, { termsOfServiceAgreed: true, contact })).location);

  const identifiers = request.names.map((value) => ({ type: "dns", value }));
  const created = await post(directory.newOrder, { identifiers });
  const readOrder = async () => decoded(Order, (await post(created.location, null)).json());
  const order = decoded(Order, created.json());
  for (const url of order.authorizations) await prove(post, url, request);
  await waitWhile(["pending"], readOrder, request.pause);

  const csr = base64url(createSigningRequest(request.names, request.certificateKey));
  await post(order.finalize, { csr });
  const done = await waitWhile(["ready", "processing"], readOrder, request.pause);
  if (done.certificate === undefined) throw new AcmeError(`the order is ${done.status}`);
  return (await post(done.certificate, null)).text;
};
