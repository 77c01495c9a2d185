import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../adapters/system/clockAndRandom.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { createCountMails } from "../../server/mail/insightCounts.ts";
import { openDatabase } from "../../server/store/database.ts";
import { sqliteEngine } from "../../server/store/sqlite.ts";
import { createListener } from "../../test/server/support/listener.ts";
import { addMask, addOwner } from "../../test/server/support/owners.ts";
import { setRules } from "../../test/server/support/ruledMask.ts";
import type { Subject } from "./subject.ts";

const monthMs = 31 * 24 * 60 * 60_000;
const mailsAMonth = 4_000;

/** Returns rules of which none applies: half look only at headers, half at the text. */
const rulesOf = (count: number): readonly Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `rule_${n}`,
    name: `Rule ${n}`,
    type: "content_filter" as const,
    enabled: true,
    conditions: [
      {
        field: n % 2 ? "subject" : "body",
        operator: "contains",
        value: [`word${n}`, `phrase ${n}`],
      } as const,
    ],
    actions: [{ type: "tag", params: { tag: "Seen" } } as const],
  }));

/**
 * Starts our relay on SQLite: every mail is queued, counted and announced in a synced commit before it is
 * answered. Its mask has so many rules.
 */
export const startOurs = async (folder: string, rules: number): Promise<Subject> => {
  mkdirSync(folder, { recursive: true });
  const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
  const mask = await addMask(database.db, await addOwner(database.db, "business"));
  await setRules(database.db, mask, rulesOf(rules));
  let mails = 0;
  // The plan has a monthly limit; this clock moves to the next month before the limit is reached.
  const clock = { ...systemClock, now: () => Date.now() + Math.floor(mails / mailsAMonth) * monthMs };
  const listener = createListener({
    database,
    clock,
    countMails: createCountMails(database),
    onQueued: () => {
      mails += 1;
    },
  });
  const { port } = await listener.start();
  return {
    name: rules === 0 ? "Bauta, SQLite, synced commits" : `Bauta, the same with ${rules} rules`,
    port,
    recipient: mask.email,
    commits: listener.commits,
    stop: async () => {
      await listener.stop();
      await database.close();
    },
  };
};
