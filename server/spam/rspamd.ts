import * as t from "io-ts";
import type { SpamEnvelope } from "./evidence.ts";

/** What rspamd says of a mail. */
export interface RspamdVerdict {
  readonly isSpam: boolean;
  readonly score: number;
  readonly spamAt: number;
  /** Its symbols that speak against the mail, the heaviest first. */
  readonly reasons: readonly string[];
}

/** null: it could not be asked, or its answer was none. Never rejects. */
export type AskRspamd = (content: Uint8Array, envelope: SpamEnvelope) => Promise<RspamdVerdict | null>;

const answerWithinMs = 3_000;
const largestAnswer = 1024 * 1024;
const mostReasons = 3;

const Answer = t.type({
  score: t.number,
  required_score: t.number,
  action: t.string,
  symbols: t.record(t.string, t.type({ score: t.number })),
});

/** Actions of rspamd that keep mail out of an inbox; greylisting and the like are for the server in front. */
const stopping = new Set(["reject", "add header", "rewrite subject", "quarantine", "discard"]);

/** Whatever a client has said of itself, as a header can carry it: nothing it says may keep us from asking. */
const safe = (text: string): string => encodeURI(text.replaceAll(/\p{Surrogate}/gu, "?")).slice(0, 1_000);

const headersOf = ({ sender, helo, remoteAddress }: SpamEnvelope): Record<string, string> => ({
  "content-type": "message/rfc822",
  ip: remoteAddress,
  from: safe(sender),
  ...(helo === false ? {} : { helo: safe(helo) }),
});

const textOf = async (response: Response): Promise<string | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestAnswer) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const reasonsIn = (symbols: t.TypeOf<typeof Answer>["symbols"]): readonly string[] =>
  Object.entries(symbols)
    .filter(([name, { score }]) => score > 0 && /^[A-Z0-9_]{1,64}$/.test(name))
    .toSorted(([, one], [, other]) => other.score - one.score)
    .slice(0, mostReasons)
    .map(([name]) => name);

/** Asks an rspamd over HTTP (its protocol's `/checkv2`), and never says for whom the mail is. */
export const makeRspamd = (address: string, withinMs = answerWithinMs): AskRspamd => {
  const url = `${address.replace(/\/+$/, "")}/checkv2`;
  return async (content, envelope) => {
    try {
      const signal = AbortSignal.timeout(withinMs);
      const request = { method: "POST", headers: headersOf(envelope), redirect: "error", signal } as const;
      const response = await fetch(url, { ...request, body: content as Uint8Array<ArrayBuffer> });
      const text = response.ok ? await textOf(response) : null;
      const decoded = Answer.decode(text === null ? null : (JSON.parse(text) as unknown));
      if (decoded._tag === "Left") return null;
      const { score, required_score: spamAt, action, symbols } = decoded.right;
      return { isSpam: stopping.has(action), score, spamAt, reasons: reasonsIn(symbols) };
    } catch {
      return null;
    }
  };
};
