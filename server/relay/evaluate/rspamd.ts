import * as t from "io-ts";
import { readAnswer } from "../../platform/ops/readAnswer.ts";
import type { SenderEnvelope } from "../../proof/evidence.ts";

/** The rating of a mail by a filter: spam is refused, and likely spam held for its owner. */
export type SpamRating = "clean" | "likely-spam" | "spam";

/** Result of rspamd. */
export interface RspamdVerdict {
  readonly rating: SpamRating;
  readonly score: number;
  readonly spamThreshold: number;
  /** Symbols that count against the mail, highest score first. */
  readonly reasons: readonly string[];
}

/** Checks a mail; resolves with null when rspamd cannot be reached or its answer is invalid. Never rejects. */
export type CheckWithRspamd = (
  content: Uint8Array,
  envelope: SenderEnvelope,
) => Promise<RspamdVerdict | null>;

export const rspamdWithinMs = 3_000;
const maxAnswerBytes = 1024 * 1024;
const maxReasons = 3;

const RspamdAnswer = t.type({
  score: t.number,
  required_score: t.number,
  action: t.string,
  symbols: t.record(t.string, t.type({ score: t.number })),
});

/** Greylisting and similar actions are for the server in front. */
const ratings: ReadonlyMap<string, SpamRating> = new Map([
  ["reject", "spam"],
  ["discard", "spam"],
  ["add header", "likely-spam"],
  ["rewrite subject", "likely-spam"],
  ["quarantine", "likely-spam"],
]);

/** Encodes client text for an HTTP header, so that no input makes the request fail. */
const toHeaderValue = (text: string): string =>
  encodeURI(text.replaceAll(/\p{Surrogate}/gu, "?")).slice(0, 1_000);

const toHeaders = ({ sender, helo, remoteAddress }: SenderEnvelope): Record<string, string> => ({
  "content-type": "message/rfc822",
  ...(remoteAddress === null ? {} : { ip: remoteAddress }),
  from: toHeaderValue(sender),
  ...(helo === false ? {} : { helo: toHeaderValue(helo) }),
});

const toReasons = (symbols: t.TypeOf<typeof RspamdAnswer>["symbols"]): readonly string[] =>
  Object.entries(symbols)
    .filter(([name, { score }]) => score > 0 && /^[A-Z0-9_]{1,64}$/.test(name))
    .toSorted(([, one], [, other]) => other.score - one.score)
    .slice(0, maxReasons)
    .map(([name]) => name);

/** Creates the client of rspamd's HTTP protocol (`/checkv2`). It never sends the recipient. */
export const createRspamd = (address: string, withinMs = rspamdWithinMs): CheckWithRspamd => {
  const url = `${address.replace(/\/+$/, "")}/checkv2`;
  return async (content, envelope) => {
    try {
      const signal = AbortSignal.timeout(withinMs);
      const request = { method: "POST", headers: toHeaders(envelope), redirect: "error", signal } as const;
      const response = await fetch(url, { ...request, body: content as Uint8Array<ArrayBuffer> });
      const text = response.ok ? await readAnswer(response, maxAnswerBytes) : null;
      const decoded = RspamdAnswer.decode(text === null ? null : (JSON.parse(text) as unknown));
      if (decoded._tag === "Left") return null;
      const { score, required_score: spamThreshold, action, symbols } = decoded.right;
      const rating = ratings.get(action) ?? "clean";
      return { rating, score, spamThreshold, reasons: toReasons(symbols) };
    } catch {
      return null;
    }
  };
};
