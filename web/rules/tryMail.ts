import PostalMime from "postal-mime";
import { type ParsedMail, toParsedMail } from "../../core/mail/parsedMail.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { prepareRules } from "../../core/rules/engine/evaluate.ts";
import type { ExplainedDecision } from "../../core/rules/engine/explanation.ts";
import type { AccountFacts, MaskFacts } from "../../core/rules/engine/facts.ts";
import type { Rule } from "../../core/rules/model/rule.ts";

/** A mail to test on a list of rules. */
export interface Trial {
  /** The raw mail (RFC 5322). */
  readonly mail: string;
  readonly rules: readonly Rule[];
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
  readonly category: string | null;
  readonly now: number;
  /** Compiles regular expressions; without it a condition with one never matches. */
  readonly compile?: CompilePattern | undefined;
}

/** The parsed mail and the explained decision of the rules. */
export interface TriedMail {
  readonly message: ParsedMail;
  readonly decision: ExplainedDecision;
}

/** Tests rules on a mail in the browser with the same code as the server (RU11); rejects when the mail cannot be parsed. */
export const tryMail = async ({
  mail,
  rules,
  mask,
  account,
  category,
  now,
  compile,
}: Trial): Promise<TriedMail> => {
  const message = toParsedMail(await PostalMime.parse(mail), category);
  return { message, decision: prepareRules(rules, compile).explain({ mail: message, mask, account }, now) };
};
