import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import { evaluate, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { Facts } from "../../../../core/rules/engine/facts.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { exportSieve } from "../../../../core/rules/sieve/exportSieve.ts";
import { parseMail } from "../../../../server/relay/evaluate/parseMail.ts";
import { anyRules } from "../../../core/rules/anyRule.ts";
import { comparableRules, shopWords } from "../../../core/rules/sieve/comparableRules.ts";
import { skipWithout } from "../../../support/missing.ts";
import { hasPigeonhole, sieveUser } from "./sieve.ts";

const rule = (n: number, conditions: Rule["conditions"], actions: Rule["actions"]): Rule => ({
  id: `r${n}`,
  name: `Rule ${n}`,
  type: "content_filter",
  enabled: true,
  conditions,
  actions,
});

const mail = [
  "From: Shop <news@mail.shop.example>",
  "To: ada@masks.example",
  "Subject: Order 12",
  "X-Priority: 1",
  "",
  "It is on its way.",
  "",
].join("\r\n");

const facts: Facts = {
  mask: {
    maskEmail: "shop@masks.example",
    labels: [],
    forwardTo: "ada@home.example",
    lastMailAt: null,
    receivedThisMonth: 0,
    received: 0,
    forwarded: 0,
  },
  account: { confirmed: [], ownDomains: [] },
  category: null,
  size: 0,
  proof: null,
  now: 0,
};

describe("A script of exported rules, in Dovecot Pigeonhole", () => {
  let folder: string;
  before(function () {
    if (!hasPigeonhole()) skipWithout(this, "sieve-test");
    folder = mkdtempSync(join(tmpdir(), "bauta-export-"));
    chmodSync(folder, 0o755);
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  const compile = (script: string): string => {
    const file = join(folder, "rules.sieve");
    writeFileSync(file, script);
    execFileSync("sievec", [file], { stdio: "pipe" });
    return file;
  };

  it("compiles, whatever the rules", () => {
    fc.assert(
      fc.property(anyRules(6), (rules) => {
        compile(exportSieve(rules).script);
      }),
      { numRuns: 25 },
    );
  });

  it("tags the mails that the rules tag, whatever both are", async () => {
    const expressions = await loadRe2Patterns();
    const anyMail = fc
      .record({
        from: fc.constantFrom(
          "news@shop.example",
          "a@mail.shop.example",
          "x@notshop.example",
          "sale@b.example",
        ),
        to: fc.constantFrom("shop@masks.example", "Sale <sale@shop.example>, b@b.example"),
        subject: shopWords,
        shop: shopWords,
        body: shopWords,
      })
      .map(({ from, to, subject, shop, body }) =>
        Buffer.from(
          `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nX-Shop: ${shop}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n${body}\r\n`,
        ),
      );
    let tagged = 0;
    await fc.assert(
      fc.asyncProperty(
        comparableRules(40),
        fc.array(anyMail, { minLength: 2, maxLength: 2 }),
        async (rules, mails) => {
          const { script } = exportSieve(rules);
          const file = compile(script);
          for (const one of mails) {
            const letter = join(folder, "letter.eml");
            writeFileSync(letter, one);
            const output = execFileSync("sieve-test", [...sieveUser, file, letter], {
              stdio: ["ignore", "pipe", "pipe"],
            });
            const [, flags = ""] = /add IMAP flags: (.*)/.exec(output.toString("utf8")) ?? [];
            const given = { ...facts, size: one.length, now: Date.now() };
            const { tags } = evaluate(prepareRules(rules, expressions), await parseMail(one), given).decision;
            expect(flags.split(" ").filter(Boolean).sort(), `${script}\n${one}`).to.deep.equal(
              [...tags].sort(),
            );
            tagged += tags.length;
          }
        },
      ),
      { numRuns: 25 },
    );
    expect(tagged).to.be.greaterThan(5);
  });

  it("does what the rules do", () => {
    const { script, notes } = exportSieve([
      rule(
        1,
        [
          {
            match: "any",
            conditions: [
              { field: "sender", operator: "ends_with", value: "shop.example" },
              { field: "subject", operator: "equals", value: "nothing" },
            ],
          },
          { match: "none", conditions: [{ field: "size", operator: "greater_than", value: 1 }] },
          { field: "date", operator: "after_date", value: "2020-01-01" },
          { field: "body", operator: "contains", value: ["on its way"] },
          { field: "subject", operator: "matches_regex", value: "^order [0-9]+$" },
        ],
        [
          { type: "tag", params: { tag: "Order" } },
          { type: "archive", params: { markAsRead: false } },
        ],
      ),
      rule(
        2,
        [{ field: "header", header: "X-Priority", operator: "not_in_list", value: ["1"] }],
        [{ type: "block", params: { silentBlock: false } }],
      ),
      rule(
        3,
        [{ field: "recipient", operator: "ends_with", value: "masks.example" }],
        [
          { type: "forward", params: { email: "bob@example.org", immediate: true, daily: false } },
          { type: "auto-reply", params: { subject: "Away", message: 'I say "later".' } },
        ],
      ),
    ]);
    expect(notes).to.have.lengthOf(1);
    const letter = join(folder, "letter.eml");
    writeFileSync(letter, mail);
    const output = execFileSync("sieve-test", [...sieveUser, compile(script), letter], {
      stdio: ["ignore", "pipe", "pipe"],
    }).toString("utf8");
    expect(output).to.match(/store message in folder: Archive/);
    expect(output).to.match(/add IMAP flags: Order/);
    expect(output).to.match(/redirect message to: <bob@example\.org>/);
    expect(output).to.match(/send vacation message/);
    expect(output).not.to.match(/reject/);
  });
});
