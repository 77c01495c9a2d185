import { expect } from "chai";
import { isRight } from "fp-ts/lib/Either.js";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { asSent, onInputs, unclearAuthors } from "../../../support/corpora.ts";
import { longTestMs } from "../../../support/limits.ts";
import { bystander } from "../../support/bystander.ts";
import { useSqlite } from "../../support/databases.ts";
import { startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { rule, setRules } from "../../support/ruledMask.ts";

const contains = (field: "subject" | "body", value: string): Rule["conditions"] => [
  { field, operator: "contains", value: [value] },
];
const matches = (field: "subject" | "body", value: string): Rule["conditions"] => [
  { field, operator: "matches_regex", value },
];

describe("Odd mails and odd patterns, evaluated by rules", () => {
  const { database } = useSqlite();

  onInputs(["oddMails"], ({ areSamples, files: filesOf }) => {
    it("are forwarded by rules on subject and body, with patterns and changes", async function () {
      this.timeout(longTestMs);
      const { db } = database();
      const mask = await addMask(db, await addOwner(db, "business"));
      await setRules(db, mask, [
        rule([{ type: "tag", params: { tag: "Häufig" } }], contains("subject", "e"), 1),
        rule([{ type: "tag", params: { tag: "Text" } }], contains("body", "the"), 2),
        rule([{ type: "notify", params: { message: "A number" } }], matches("body", "\\d{3,}"), 3),
        rule(
          [{ type: "modify", params: { subjectPrefix: "[odd]", removeTrackers: true } }],
          matches("subject", ".*"),
          4,
        ),
      ]);
      const relay = await startListener(database());
      try {
        const client = await relay.connect();
        const files = filesOf("oddMails");
        expect(files.length).to.be.greaterThan(areSamples ? 15 : 200);
        for (const { name, content } of files) {
          const expected = unclearAuthors.has(name) ? /^550 5\.6\.0 / : /^250 /;
          expect(await client.mail("sender@shop.example", [mask.email], asSent(content)), name).to.match(
            expected,
          );
        }
        const rows = await db
          .selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("id")
          .execute();
        expect(rows).to.have.lengthOf(files.length - (areSamples ? 2 : 7));
        const { details } = await db
          .selectFrom("mask_statistics")
          .where("user_id", "!=", bystander.id)
          .select("details")
          .executeTakeFirstOrThrow();
        expect(JSON.parse(details).rules).to.have.all.keys("rule_1", "rule_2", "rule_3", "rule_4");
      } finally {
        await relay.close();
      }
    });
  });

  onInputs(["slowPatterns"], ({ areSamples, json }) => {
    it("do not delay other users: patterns known for catastrophic backtracking, on mails of 30 kB", async function () {
      this.timeout(longTestMs);
      const { db } = database();
      const compile = await loadRe2Patterns();
      const known = json<readonly { readonly pattern: string }[]>("slowPatterns").flat();
      const costly = Array.from({ length: 20 }, (_, n) => `(?:a?){${90 + n}}a{${90 + n}}[b-y]`);
      const patterns = [...new Set([...known.map(({ pattern }) => pattern), ...costly])].filter(
        (pattern) => pattern.length <= 256 && isRight(compile(pattern)),
      );
      expect(patterns.length).to.be.greaterThan(areSamples ? 30 : 50);

      const attackers = await Promise.all([0, 1, 2].map(() => addOwner(db, "business")));
      const sets = Array.from({ length: Math.ceil(patterns.length / 20) }, (_, n) =>
        patterns.slice(n * 20, n * 20 + 20),
      );
      const attacked = await Promise.all(
        sets.map(async (set, n) => {
          const owner = attackers[n % attackers.length];
          if (!owner) throw new Error("nobody");
          const mask = await addMask(db, owner);
          await setRules(
            db,
            mask,
            set.map((pattern, at) =>
              rule([{ type: "tag", params: { tag: "evil" } }], matches("body", pattern), at),
            ),
          );
          return mask;
        }),
      );
      const victim = await addOwner(db, "business");
      const plain = await addMask(db, victim);
      const ruled = await addMask(db, victim);
      await setRules(db, ruled, [
        rule([{ type: "tag", params: { tag: "Order" } }], matches("body", "order \\d+")),
      ]);

      const relay = await startListener(database());
      try {
        const quiet = "From: a@shop.example\r\nSubject: Hello\r\n\r\nYour order 4711.\r\n";
        const own = await relay.connect();
        let attackMails = 0;
        /** Sends a mail of the other owner; returns how many mails of the attack were finished meanwhile. */
        const send = async (mask: { readonly email: string }): Promise<number> => {
          const before = attackMails;
          expect(await own.mail("a@shop.example", [mask.email], quiet)).to.match(/^250/);
          return attackMails - before;
        };
        await send(ruled);
        const overtaken = { plain: [] as number[], ruled: [] as number[] };

        const body = ["a", "0", " ", "ab", "x@", "/*", "--"]
          .map((pump) => pump.repeat(900 / pump.length))
          .join("\r\n");
        const large = `From: a@evil.example\r\nSubject: x\r\n\r\n${`${body}\r\n`.repeat(99).slice(0, 30_000)}\r\n`;
        let isOver = false;
        const attack = Promise.all(
          attacked.map(async ({ email }) => {
            const client = await relay.connect();
            for (let n = 0; n < 3; n += 1) {
              expect(await client.mail("a@evil.example", [email], large)).to.match(/^250/);
              attackMails += 1;
            }
          }),
        ).finally(() => {
          isOver = true;
        });
        while (!isOver && overtaken.plain.length < 200) {
          overtaken.plain.push(await send(plain));
          overtaken.ruled.push(await send(ruled));
        }
        await attack;
        expect(overtaken.plain.length).to.be.greaterThan(3);
        // Behind the attackers' queue each of these would wait for a mail of every connection; a running task may end first.
        for (const counts of [overtaken.plain, overtaken.ruled])
          expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).to.be.below(attackers.length);
        const stored = await db
          .selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("mask_id")
          .where(
            "mask_id",
            "in",
            attacked.map(({ id }) => id),
          )
          .execute();
        expect(stored).to.have.lengthOf(3 * attacked.length);
      } finally {
        await relay.close();
      }
    });
  });
});
