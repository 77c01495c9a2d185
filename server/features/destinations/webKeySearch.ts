import { domainToASCII } from "node:url";
import type { KeySearchRefusal } from "../../../core/destinations/destinationKeyEndpoints.ts";
import { domainOf, localPartOf } from "../../../core/mail/emailAddress.ts";
import type { FoundKey } from "../../platform/openpgp/foundKey.ts";
import type { KeyPool } from "../../platform/openpgp/keyThreads.ts";
import { webKeyName } from "../../platform/openpgp/webKeyName.ts";
import type {
  FetchedFile,
  GetFromPublicHost,
  OutgoingFailure,
} from "../../platform/outgoing/publicHttpClient.ts";

/** In bytes; a key without pictures has some thousand. */
export const maxFoundBytes = 200_000;

/** A key, or why there is none. */
export type WebKeyResult = FoundKey | { readonly refusal: KeySearchRefusal; readonly status?: number };

/** Returns where the key of an address may be: by the advanced method, then by the direct one. */
export const webKeyUrls = (email: string): readonly string[] => {
  const domain = domainToASCII(domainOf(email)).toLowerCase();
  const name = webKeyName(localPartOf(email));
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain)) return [];
  const query = `hu/${name}?l=${encodeURIComponent(localPartOf(email))}`;
  return [
    `https://openpgpkey.${domain}/.well-known/openpgpkey/${domain}/${query}`,
    `https://${domain}/.well-known/openpgpkey/${query}`,
  ];
};

/**
 * A domain without the host of the advanced method is asked by the direct one (draft-koch-openpgp-webkey-service, 3.1);
 * and so is one that has a host of every name, which answers for none.
 */
const meansNoHost: ReadonlySet<OutgoingFailure> = new Set(["unknown-host", "certificate", "refused"]);

const refusals: Readonly<Partial<Record<OutgoingFailure, KeySearchRefusal>>> = {
  "unknown-host": "no-server",
  refused: "no-server",
  timeout: "timeout",
  certificate: "certificate",
  "private-network": "private-network",
  "own-listener": "private-network",
  "header-too-large": "too-large",
};

/** Asks the domain of an address for its key. Never rejects. */
export const searchWebKey = async (
  email: string,
  {
    userId,
    now,
    signal,
    get,
    pool,
  }: {
    readonly userId: string;
    readonly now: number;
    readonly signal: AbortSignal;
    readonly get: GetFromPublicHost;
    readonly pool: Pick<KeyPool, "run">;
  },
): Promise<WebKeyResult> => {
  const fetchKey = async (): Promise<FetchedFile | { readonly failure: OutgoingFailure }> => {
    let answer: Awaited<ReturnType<GetFromPublicHost>> = { failure: "unknown-host" };
    for (const url of webKeyUrls(email)) {
      answer = await get({ url, maxBytes: maxFoundBytes, signal });
      if (!("failure" in answer) || !meansNoHost.has(answer.failure)) return answer;
    }
    return answer;
  };
  const file = await fetchKey();
  if ("failure" in file) return { refusal: refusals[file.failure] ?? "unreachable" };
  const { status, bytes, isCut } = file;
  if (status === 404) return { refusal: "no-key" };
  if (status !== 200) return { refusal: "status", status };
  if (isCut) return { refusal: "too-large" };
  // A key that takes too long is none.
  const found = await pool.run({ bytes, address: email, now }, userId).catch(() => "unusable" as const);
  return typeof found === "string" ? { refusal: found } : found;
};
