import PostalMime from "postal-mime";
import { type ParsedMail, parserLimits, toParsedMail } from "../../core/mail/parsedMail.ts";
import type { Decision } from "../../core/rules/engine/decision.ts";
import { evaluate, explain, type PreparedRules } from "../../core/rules/engine/evaluate.ts";
import type { RuleExplanation } from "../../core/rules/engine/explanation.ts";
import type { Facts } from "../../core/rules/engine/facts.ts";

/** The parsed mail, the decision of the rules and the reasons for it. */
export interface TriedMail {
  readonly message: ParsedMail;
  readonly decision: Decision;
  readonly explanation: readonly RuleExplanation[];
}

/** What a mail is tested with, when its category depends on the mail itself. */
type FactsOf = (message: ParsedMail) => Facts;

/**
 * Tests rules on the bytes of a mail (RFC 5322) in the browser with the same code and limits as the server (RU11); rejects
 * when the mail cannot be parsed.
 */
export const tryMail = async (
  rules: PreparedRules,
  mail: Uint8Array,
  factsOf: FactsOf,
): Promise<TriedMail> => {
  const message = toParsedMail(await PostalMime.parse(mail, parserLimits));
  const evaluation = evaluate(rules, message, factsOf(message));
  return { message, decision: evaluation.decision, explanation: explain(evaluation) };
};
