import PostalMime from "postal-mime";
import { maxSearchedBytes } from "../../core/insights/classification/features.ts";
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

/** Returns what a mail is tested with; its category depends on the mail, parsed and as the text that it begins with. */
type FactsOf = (message: ParsedMail, text: string) => Facts | Promise<Facts>;

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
  const text = new TextDecoder("latin1").decode(mail.subarray(0, maxSearchedBytes));
  const evaluation = evaluate(rules, message, await factsOf(message, text));
  return { message, decision: evaluation.decision, explanation: explain(evaluation) };
};
