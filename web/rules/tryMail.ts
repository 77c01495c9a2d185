import PostalMime from "postal-mime";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { ExplainedDecision } from "../../core/relay/explanation.ts";
import type { AccountFacts, MaskFacts } from "../../core/relay/facts.ts";
import { type Message, messageOf } from "../../core/relay/message.ts";
import { prepare } from "../../core/relay/prepare.ts";
import type { Rule } from "../../core/rules/rule.ts";

/** A mail tried on a list of rules, as the relay would see it. */
export interface Trial {
  /** The raw mail. */
  readonly mail: string;
  readonly rules: readonly Rule[];
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
  readonly category: string | null;
  readonly now: number;
  /** Compiles regular expressions; without it conditions with one are met by no mail. */
  readonly compile?: CompilePattern | undefined;
}

/** What is seen of the mail, and what the rules make of it. */
export interface TriedMail {
  readonly message: Message;
  readonly decision: ExplainedDecision;
}

/** Runs the rules on a mail, here and now: by the same code as the relay (RU11). Nothing leaves the browser. */
export const tryMail = async ({
  mail,
  rules,
  mask,
  account,
  category,
  now,
  compile,
}: Trial): Promise<TriedMail> => {
  const message = messageOf(await PostalMime.parse(mail), category);
  return { message, decision: prepare(rules, compile).explain({ message, mask, account }, now) };
};
