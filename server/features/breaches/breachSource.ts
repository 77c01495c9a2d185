import { createHash } from "node:crypto";
import { sentHashDigits } from "../../../core/breaches/breachCheck.ts";
import { readAnswer } from "../../platform/ops/readAnswer.ts";

/**
 * Returns how often an address occurs in leaks; null when the source does not answer. The source learns five of the forty
 * digits of the address's hash, which a million other addresses share (k-anonymity).
 */
export type FindBreaches = (address: string) => Promise<number | null>;

const timeoutMs = 5_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/** Returns the count in the line of a hash, "REST:COUNT"; 0 without one. Sources pad their answers with counts of 0. */
const countIn = (text: string, rest: string): number => {
  for (const line of text.split("\n")) {
    const [found = "", count = ""] = line.trim().split(":");
    if (found.toUpperCase() === rest) return Number.parseInt(count, 10) || 0;
  }
  return 0;
};

/**
 * Creates the search in a source of leaked addresses: `GET <url>/<first five digits of the SHA-1>` answers the other digits
 * of all leaked addresses that begin so, one in a line with a count. Addresses are hashed in lower case.
 */
export const createFindBreaches =
  (url: string, withinMs = timeoutMs): FindBreaches =>
  async (address) => {
    const hash = createHash("sha1").update(address.trim().toLowerCase()).digest("hex").toUpperCase();
    const range = `${url.replace(/\/+$/, "")}/${hash.slice(0, sentHashDigits)}`;
    try {
      const response = await fetch(range, {
        headers: { "add-padding": "true" },
        redirect: "error",
        signal: AbortSignal.timeout(withinMs),
      });
      if (response.status === 404) return 0;
      const text = response.ok ? await readAnswer(response, maxAnswerBytes) : null;
      return text === null ? null : countIn(text, hash.slice(sentHashDigits));
    } catch {
      return null;
    }
  };
