import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import { evaluate, needsContent } from "../../../core/rules/engine/evaluate.ts";
import type { Facts, MaskFacts, ProofFacts } from "../../../core/rules/engine/facts.ts";
import type { RuleLists } from "../../../core/rules/model/rulePlace.ts";
import type { WorkerPool, WorkerPoolOptions } from "../../platform/workers/workerPool.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { ReducedMail } from "./parseMail.ts";
import { createRuleCache, hasRules } from "./ruleCache.ts";

/** A mask's rules, and the facts they may use besides the mail. */
export interface EvaluationInput {
  readonly userId: string;
  /** Stored JSON of each list. */
  readonly rules: RuleLists<string>;
  readonly facts: Facts;
}

/** A mail whose rules need more than its header, for a worker thread. */
export interface EvaluationTask {
  readonly mail: ReducedMail;
  readonly inputs: readonly EvaluationInput[];
}

/** The part of a mail that was read for a mask. */
export type ReadDepth = "nothing" | "header" | "text" | "header-for-trouble";

/** The decision for one mask, and how much of the mail it is based on. */
export interface MaskDecision {
  readonly decision: Decision;
  readonly readDepth: ReadDepth;
}

/** The part of a mail that rules may use. */
export interface ReadableMail {
  readonly readContent: () => Promise<ReducedMail>;
  /** The parsed header; null when it was not needed or cannot be parsed outside a worker thread. */
  readonly parsedMail: ParsedMail | null;
  /** Waits for the checks of the sender; null when they are not made. */
  readonly readProof: () => Promise<ProofFacts | null>;
}

/** Evaluates the rules of each input, in the same order; never rejects. */
export type EvaluateMail = (
  mail: ReadableMail,
  inputs: readonly EvaluationInput[],
) => Promise<readonly MaskDecision[]>;

/** The threads that evaluate rules. */
export type EvaluationThreads = WorkerPool<EvaluationTask, readonly Decision[]>;

/** There are more threads than processors, so that one user's slow regular expression does not block others. */
export const evaluationThreads: WorkerPoolOptions = {
  module: new URL("./evaluationThread.ts", import.meta.url),
  maxThreads: 8,
  idleThreads: 3,
  timeLimitMs: 4_000,
  memoryLimitMb: 256,
};

/**
 * Creates the function that evaluates mail against rules (RU11). It parses nothing without rules, and only the
 * header where that is enough; it waits for the checks of the sender only for rules that use them. Rules that
 * need the text or regular expressions run in a worker thread, each
 * user's separately, with limits of time and memory. Beyond a limit the mail is evaluated by its header, and
 * rules that use its text or a regular expression do not apply.
 */
export const createEvaluateMail = (pool: Pick<EvaluationThreads, "run">): EvaluateMail => {
  const ruleCache = createRuleCache();

  const evaluateByHeader = (
    { rules, facts }: EvaluationInput,
    parsedMail: ParsedMail | null,
    readDepth: ReadDepth,
  ): MaskDecision => ({
    decision: evaluate(ruleCache(rules), parsedMail, facts).decision,
    readDepth: !hasRules(rules) || parsedMail === null ? "nothing" : readDepth,
  });

  const needsThread = ({ rules }: EvaluationInput, parsedMail: ParsedMail | null): boolean => {
    if (!hasRules(rules)) return false;
    const { sources, patterns } = ruleCache(rules).requirements;
    return needsContent(sources) || patterns || parsedMail === null;
  };

  const needsProof = ({ rules }: EvaluationInput): boolean =>
    hasRules(rules) && ruleCache(rules).requirements.sources.has("proof");

  const withProof = async (
    { readProof }: ReadableMail,
    inputs: readonly EvaluationInput[],
  ): Promise<readonly EvaluationInput[]> => {
    if (!inputs.some(needsProof)) return inputs;
    const proof = await readProof();
    return inputs.map((input) => ({ ...input, facts: { ...input.facts, proof } }));
  };

  const evaluateInThread = async (
    mail: ReducedMail,
    parsedMail: ParsedMail | null,
    inputs: readonly EvaluationInput[],
  ): Promise<readonly MaskDecision[]> => {
    try {
      const decisions = await pool.run({ mail, inputs }, inputs[0]?.userId ?? "");
      return decisions.map((decision) => ({
        decision,
        readDepth: mail.hasText ? "text" : "header-for-trouble",
      }));
    } catch {
      return inputs.map((input) => evaluateByHeader(input, parsedMail, "header-for-trouble"));
    }
  };

  return async (mail, given) => {
    const inputs = await withProof(mail, given);
    const decisions = new Map<EvaluationInput, MaskDecision>();
    const threadInputs = inputs.filter((input) => needsThread(input, mail.parsedMail));
    if (threadInputs.length === 0)
      return inputs.map((input) => evaluateByHeader(input, mail.parsedMail, "header"));
    const reduced = await mail.readContent();
    await Promise.all(
      [...new Set(threadInputs.map(({ userId }) => userId))].map(async (userId) => {
        const own = threadInputs.filter((input) => input.userId === userId);
        for (const [n, decision] of (await evaluateInThread(reduced, mail.parsedMail, own)).entries()) {
          const input = own[n];
          if (input) decisions.set(input, decision);
        }
      }),
    );
    return inputs.map((input) => decisions.get(input) ?? evaluateByHeader(input, mail.parsedMail, "header"));
  };
};

/** Facts about a mail at a mask that are not in the mail, for rules and records. */
export interface FactsOfMask
  extends Pick<MaskFacts, "received" | "forwarded" | "receivedThisMonth" | "lastMailAt"> {
  /** The confirmed destinations of the owner. */
  readonly confirmed: readonly string[];
  readonly category: Facts["category"];
}

const unknownFacts: FactsOfMask = {
  received: 0,
  forwarded: 0,
  receivedThisMonth: 0,
  lastMailAt: null,
  confirmed: [],
  category: null,
};

/** Returns the input of an evaluation: a mask's rules, and the facts that features have read for it (D31). */
export const toEvaluationInput = (
  { userId, maskEmail, destination: forwardTo, rules, labels }: MailRoute,
  read: Partial<FactsOfMask>,
  { ownDomain, size, now }: { readonly ownDomain: string; readonly size: number; readonly now: number },
): EvaluationInput => {
  const { confirmed, category, ...history } = { ...unknownFacts, ...read };
  return {
    userId,
    rules,
    facts: {
      mask: { maskEmail, labels, forwardTo, ...history },
      account: { confirmed, ownDomains: [ownDomain] },
      category,
      size,
      now,
      proof: null,
    },
  };
};
