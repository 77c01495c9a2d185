import { plainDecision } from "../../core/relay/carryOut.ts";
import type { Decision } from "../../core/relay/decision.ts";
import type { AccountFacts, MaskFacts } from "../../core/relay/facts.ts";
import type { Message } from "../../core/relay/message.ts";
import type { WorkerPool, WorkerSettings } from "../workers/workerPool.ts";
import { makeRuleBook, noRules } from "./ruleBook.ts";

/** One mask's rules, and what they may know besides the mail. */
export interface Asked {
  /** Whose they are. */
  readonly userId: string;
  /** JSON, as it is stored. */
  readonly rules: string;
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
  /** The classifier's word for the mail; null where it has none. */
  readonly category: string | null;
}

/** A mail whose rules need more than its header, for a thread of its own. */
export interface Reading {
  readonly content: Uint8Array;
  readonly asked: readonly Asked[];
  readonly now: number;
}

/** How much of a mail was looked at for a mask. */
export type Read = "nothing" | "header" | "text" | "header-for-trouble";

/** What becomes of a mail for one mask. */
export interface Judgement {
  readonly decision: Decision;
  readonly read: Read;
}

/** A mail as far as rules can look at it. */
export interface JudgedMail {
  /** Its bytes; what rules never look at may be left out. */
  readonly readable: () => Uint8Array;
  /** What its header says; null where nobody needed that or it cannot be read here. */
  readonly message: Message | null;
}

/** Answers in the order of those who asked; never rejects. */
export type Judge = (mail: JudgedMail, asked: readonly Asked[], now: number) => Promise<readonly Judgement[]>;

/**
 * Where mail is read for rules. More threads than processors: one that a slow expression keeps busy must not be in
 * another user's way.
 */
export const judgeThreads: WorkerSettings = {
  module: new URL("./judgeThread.ts", import.meta.url),
  mostThreads: 8,
  spareThreads: 3,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};

/**
 * Makes what decides about a mail (RU11). Nothing is parsed for masks without rules, and no more than the header where
 * that is enough. What needs the text or runs regular expressions happens in a thread, for each user in one of their
 * own, with limits of time and memory; a mail that is too much for it is judged by its header, and rules that look at
 * its text or run an expression do not apply.
 */
export const makeJudge = (pool: Pick<WorkerPool<Reading, readonly Decision[]>, "run">): Judge => {
  const book = makeRuleBook();

  const byHeader = (one: Asked, message: Message | null, now: number, read: Read): Judgement => {
    const { rules, mask, account, category } = one;
    if (rules === noRules || message === null) return { decision: plainDecision(mask), read: "nothing" };
    return { decision: book(rules).decide({ message: { ...message, category }, mask, account }, now), read };
  };

  const needsMore = ({ rules }: Asked, message: Message | null): boolean => {
    if (rules === noRules) return false;
    const { text, patterns } = book(rules).needs;
    return text || patterns || message === null;
  };

  const read = async (
    content: Uint8Array,
    message: Message | null,
    asked: readonly Asked[],
    now: number,
  ): Promise<readonly Judgement[]> => {
    try {
      const decisions = await pool.run({ content, asked, now }, asked[0]?.userId ?? "");
      return decisions.map((decision) => ({ decision, read: "text" }));
    } catch {
      return asked.map((one) => byHeader(one, message, now, "header-for-trouble"));
    }
  };

  return async (mail, asked, now) => {
    const judged = new Map<Asked, Judgement>();
    const reading = asked.filter((one) => needsMore(one, mail.message));
    for (const one of asked)
      if (!reading.includes(one)) judged.set(one, byHeader(one, mail.message, now, "header"));
    const content = reading.length === 0 ? new Uint8Array() : mail.readable();
    await Promise.all(
      [...new Set(reading.map(({ userId }) => userId))].map(async (userId) => {
        const own = reading.filter((one) => one.userId === userId);
        for (const [n, judgement] of (await read(content, mail.message, own, now)).entries()) {
          const one = own[n];
          if (one) judged.set(one, judgement);
        }
      }),
    );
    return asked.map((one) => judged.get(one) ?? byHeader(one, mail.message, now, "header"));
  };
};
