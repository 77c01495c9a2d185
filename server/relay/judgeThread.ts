import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import type { Decision } from "../../core/relay/decision.ts";
import { answerTasks } from "../workers/answerTasks.ts";
import type { Reading } from "./judge.ts";
import { readMail } from "./readMessage.ts";
import { makeRuleBook } from "./ruleBook.ts";

const book = loadRe2Patterns().then(makeRuleBook);

answerTasks(async ({ content, asked, now }: Reading): Promise<readonly Decision[]> => {
  const prepared = await book;
  const message = await readMail(content);
  return asked.map(({ rules, mask, account, category }) =>
    prepared(rules).decide({ message: { ...message, category }, mask, account }, now),
  );
});
