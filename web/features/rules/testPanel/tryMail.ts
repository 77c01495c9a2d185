import PostalMime, { decodeWords } from "postal-mime";
import { maxSearchedBytes } from "../../../../core/insights/classification/mailFeatures.ts";
import { type ParsedMail, parserLimits, toParsedMail } from "../../../../core/mail/parsedMail.ts";
import type { Decision } from "../../../../core/rules/engine/decision.ts";
import { evaluate, explain, type PreparedRules } from "../../../../core/rules/engine/evaluate.ts";
import type { RuleExplanation } from "../../../../core/rules/engine/explanation.ts";
import type { Facts } from "../../../../core/rules/engine/facts.ts";

/** The parsed mail, the decision of the rules and the reasons for it. */
export interface TriedMail {
  readonly message: ParsedMail;
  readonly decision: Decision;
  readonly explanation: readonly RuleExplanation[];
}

/** Returns the facts for a mail; the category depends on the parsed mail and on the beginning of its source. */
type FactsOf = (message: ParsedMail, text: string) => Facts | Promise<Facts>;

/** Tests rules on a mail (RFC 5322) in the browser as the server does (RU11); rejects when it cannot be parsed. */
export const tryMail = async (
  rules: PreparedRules,
  mail: Uint8Array,
  factsOf: FactsOf,
): Promise<TriedMail> => {
  const message = toParsedMail(await PostalMime.parse(mail, parserLimits), decodeWords);
  const text = new TextDecoder("latin1").decode(mail.subarray(0, maxSearchedBytes));
  const evaluation = evaluate(rules, message, await factsOf(message, text));
  return { message, decision: evaluation.decision, explanation: explain(evaluation) };
};
