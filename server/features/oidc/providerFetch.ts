import { readAnswer } from "../../platform/ops/readAnswer.ts";
import { SignOnRefusal } from "./signOnRefusal.ts";

/** An answer of a provider may take this long, and have this many bytes. */
const answersWithinMs = 5_000;
const maxAnswerBytes = 256 * 1024;

export type ProviderFetch = (url: string, options?: RequestInit) => Promise<Response>;

/** Statuses of answers without a body (Fetch, 2.2.6). */
const withoutBody = new Set([101, 103, 204, 205, 304]);

/**
 * Asks the provider, without following redirects. Rejects with a refusal when it does not answer in time, answers 5xx, or
 * answers more than a provider has to say.
 */
export const askProvider: ProviderFetch = async (url, options = {}) => {
  const unreachable = (reason: string, cause?: unknown): SignOnRefusal =>
    new SignOnRefusal("unavailable", `provider ${reason}`, cause);
  const inTime = AbortSignal.timeout(answersWithinMs);
  try {
    const response = await fetch(url, { ...options, redirect: "manual", signal: inTime });
    const { status, headers } = response;
    if (status >= 500) throw unreachable(`answers ${status}`);
    if (status >= 300 && status < 400) throw new SignOnRefusal("refused", "provider redirects");
    const text = await readAnswer(response, maxAnswerBytes);
    if (text === null) throw new SignOnRefusal("refused", "provider answers too much");
    return new Response(withoutBody.has(status) ? null : text, { status, headers });
  } catch (error) {
    if (error instanceof SignOnRefusal) throw error;
    throw unreachable(inTime.aborted ? "takes too long" : "cannot be reached", error);
  }
};
