import { expect } from "chai";
import fc from "fast-check";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import type { CompilePattern } from "../../../../core/ports/patterns.ts";
import { evaluate, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { Facts } from "../../../../core/rules/engine/facts.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { exportSieve } from "../../../../core/rules/sieve/exportSieve.ts";
import { importSieve, type SieveImport } from "../../../../core/rules/sieve/importSieve.ts";
import { anyRules, anyWords } from "../anyRule.ts";
import { comparableRules, ruleOf, shopWords } from "./comparableRules.ts";

const now = Date.UTC(2026, 10, 20, 9, 0);
const facts: Facts = {
  mask: {
    maskEmail: "shop@masks.example",
    labels: [],
    forwardTo: "ada@example.org",
    lastMailAt: null,
    receivedThisMonth: 0,
    received: 0,
    forwarded: 0,
  },
  account: { confirmed: ["ada@example.org", "bob@example.org"], ownDomains: ["masks.example"] },
  category: null,
  size: 4_096,
  proof: null,
  now,
};

const imported = (script: string): SieveImport => {
  const read = importSieve(script);
  if (isLeft(read)) throw new Error(read.left);
  return read.right;
};

const withIds = ({ rules }: SieveImport): readonly Rule[] =>
  rules.map((rule, n) => ({ ...rule, id: `r${n}` }));

describe("Rules as a Sieve script", () => {
  let compile: CompilePattern;
  before(async () => {
    compile = await loadRe2Patterns();
  });

  it("are one “if” each, with what they need required and their names before them", () => {
    const { script, notes } = exportSieve([
      ruleOf({ name: "Sales", metadata: { stop: true } }),
      ruleOf({
        enabled: false,
        conditions: [
          { match: "any", conditions: [{ field: "sender", operator: "ends_with", value: "shop.example" }] },
          { match: "none", conditions: [{ field: "size", operator: "greater_than", value: 100 }] },
        ],
        actions: [{ type: "archive", params: { markAsRead: true } }],
      }),
    ]);
    expect(notes).to.deep.equal([]);
    expect(script).to.equal(
      [
        "# Rules of Bauta",
        'require ["fileinto", "imap4flags"];',
        "",
        "# rule:[Sales]",
        'if header :contains "subject" "sale" {',
        '  addflag "Hit";',
        "  stop;",
        "}",
        "",
        "# rule:[Rule]",
        'if allof (false, allof (address :matches "from" ["*@shop.example", "*.shop.example"], not size :over 102400)) {',
        '  fileinto :flags "\\\\Seen" "Archive";',
        "}",
        "",
      ].join("\n"),
    );
  });

  it("name what Sieve cannot say, in the notes and in the script", () => {
    const { script, notes } = exportSieve([
      ruleOf({ name: "Busy", conditions: [{ field: "emailCount", operator: "greater_than", value: 9 }] }),
      ruleOf({ name: "Ask", actions: [{ type: "hold", params: {} }] }),
      ruleOf({
        name: "Both",
        actions: [
          { type: "tag", params: { tag: "Read later" } },
          { type: "notify", params: { message: "" } },
          { type: "forward", params: { email: "bob@example.org", immediate: false, daily: false } },
        ],
      }),
      ruleOf({ name: "Stop", actions: [{ type: "block", params: { silentBlock: true } }] }),
    ]);
    expect(notes).to.deep.equal([
      "“Busy”: left out, because Sieve has no such condition, or does not compare it so.",
      "“Ask”: left out, because Sieve has no such action.",
      "“Both”: the tag is written Read_later.",
      "“Both”: Sieve cannot notify you here.",
      "“Both”: it forwards at once, not in batches.",
      "An email that a later rule blocks has been forwarded, archived or answered by then; here it is not.",
    ]);
    for (const note of notes) expect(script).to.contain(`# ${note}`);
    expect(script).to.contain("# Left out: If emails this month is greater than 9 then tag Hit");
    expect(imported(script).rules.map(({ name }) => name)).to.deep.equal(["Both", "Stop"]);
  });

  const anyMessage: fc.Arbitrary<ParsedMail> = fc.record({
    from: fc.constantFrom(
      { name: "", address: "news@shop.example" },
      { name: "", address: "a@mail.shop.example" },
      { name: "", address: "x@notshop.example" },
      { name: "", address: "sale@other.example" },
    ),
    to: fc.subarray(["shop@masks.example", "sale@shop.example"]),
    subject: fc.array(shopWords, { maxLength: 3 }).map((list) => list.join(" ")),
    headers: fc.array(
      fc.record({ name: fc.constantFrom("x-shop", "list-id", "reply-to"), value: shopWords }),
      {
        maxLength: 3,
      },
    ),
    text: fc.array(shopWords, { maxLength: 3 }).map((list) => list.join(" ")),
    htmlText: fc.constant(null),
    isTextCut: fc.constant(false),
    attachments: fc.constant([]),
  });

  it("mean the same after an export and an import, whatever the mail", () => {
    let matched = 0;
    fc.assert(
      fc.property(comparableRules(3), fc.boolean(), anyMessage, (list, stop, mail) => {
        const rules = list.map((rule) => (stop ? { ...rule, metadata: { stop } } : rule));
        const { script } = exportSieve(rules);
        const back = imported(script);
        expect(back.notes, script).to.deep.equal([]);
        const tagsOf = (some: readonly Rule[]): readonly string[] =>
          evaluate(prepareRules(some, compile), mail, facts).decision.tags;
        expect(tagsOf(withIds(back)), script).to.deep.equal(tagsOf(rules));
        if (tagsOf(rules).length > 0) matched += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(matched).to.be.greaterThan(100);
  });

  it("keep what stands beside two dates that exclude a mail", () => {
    const dates = {
      match: "none",
      conditions: [
        { field: "date", operator: "before_date", value: "1970-01-01" },
        { field: "date", operator: "after_date", value: "2026-11-20" },
      ],
    } as const;
    const subject = { field: "subject", operator: "contains", value: ["sale"] } as const;
    const { script } = exportSieve([ruleOf({ conditions: [dates, subject] })]);
    const { rules } = imported(script);
    expect(JSON.stringify(rules[0]?.conditions)).to.contain('"subject"').and.to.contain('"before_date"');
  });

  it("lose no rule silently: each is in the script or in the notes", () => {
    fc.assert(
      fc.property(anyRules(5), (rules) => {
        const named = rules.map((rule, n) => ({ ...rule, name: `Name ${n}` }));
        const { script, notes } = exportSieve(named);
        const back = imported(script);
        expect(back.notes.filter((note) => !/becomes a tag/.test(note))).to.deep.equal([]);
        const kept = new Set(back.rules.map(({ name }) => name));
        for (const { name } of named)
          if (!kept.has(name)) expect(notes.join("\n")).to.contain(`“${name}”: left out`);
      }),
      { numRuns: 500 },
    );
  });

  it("keep any text as it is", () => {
    fc.assert(
      fc.property(anyWords, (text) => {
        const rule = ruleOf({
          conditions: [{ field: "subject", operator: "in_list", value: [text] }],
          actions: [{ type: "auto-reply", params: { subject: "Re", message: text.trim() } }],
        });
        const [back] = imported(exportSieve([rule]).script).rules;
        expect(back?.actions).to.deep.equal(rule.actions);
        expect(back?.conditions).to.deep.equal([{ field: "subject", operator: "equals", value: [text] }]);
      }),
    );
  });
});

describe("A Sieve script of another program", () => {
  it("becomes rules, with its branches as conditions", () => {
    const { rules, notes } = imported(`
      require ["fileinto", "reject", "imap4flags", "vacation"];
      /* a comment */
      # rule:[Lists]
      if anyof (exists "List-Id", header :contains ["To", "Cc"] "list@") {
        fileinto "Archive";
        stop;
      } elsif size :over 1M {
        if address :domain :is "from" "big.example" { discard; }
        addflag ["Big", "\\\\Seen"];
      } else {
        vacation :days 3 :subject "Away" text:
I am away.
..
.
;
      }
      redirect "bob@example.org";
    `);
    const big = { field: "size", operator: "greater_than", value: 1_024 };
    const lists = {
      match: "any",
      conditions: [
        { field: "header", header: "List-Id", operator: "matches_regex", value: "^" },
        { field: "header", header: "To", operator: "contains", value: ["list@"] },
        { field: "header", header: "Cc", operator: "contains", value: ["list@"] },
      ],
    };
    const [first, ...others] = rules;
    expect(first).to.containSubset({ name: "Lists", metadata: { stop: true } });
    expect(first?.conditions).to.deep.equal([lists]);
    expect(first?.actions).to.deep.equal([{ type: "archive", params: { markAsRead: false } }]);
    expect(others.map(({ actions }) => actions[0])).to.deep.equal([
      { type: "block", params: { silentBlock: true } },
      { type: "tag", params: { tag: "Big" } },
      { type: "auto-reply", params: { subject: "Away", message: "I am away.\n." } },
      { type: "forward", params: { email: "bob@example.org", immediate: true, daily: false } },
    ]);
    expect(others[0]?.conditions).to.deep.equal([
      { match: "none", conditions: [lists] },
      big,
      { field: "sender", operator: "ends_with", value: ["@big.example"] },
    ]);
    expect(others[3]?.conditions).to.deep.equal([{ field: "size", operator: "greater_than", value: 0 }]);
    expect(notes).to.deep.equal([
      "Line 10: flags of the mail program are not set here.",
      "Line 12: an answer goes to a sender once in 7 days.",
    ]);
  });

  it("names what has no counterpart, with its line, and takes no rule without one of its conditions", () => {
    const { rules, notes } = imported(
      [
        'if envelope :is "from" "a@b.example" { discard; }',
        'elsif header :is "subject" "x" { keep; }',
        'if body :text :is "x" { discard; }',
        'if header :count "ge" "subject" "2" { discard; }',
        'if header :is "subject" "y" { notify "mailto:a@b.example"; fileinto "Shops"; keep; }',
        'if header :is "subject" "z" { stop; }',
        'redirect "not an address";',
        "if { discard; }",
      ].join("\n"),
    );
    expect(rules.map(({ actions }) => actions)).to.deep.equal([[{ type: "tag", params: { tag: "Shops" } }]]);
    expect(notes).to.deep.equal([
      "Line 1: left out with all that is in it; line 1: “envelope”, this test is not known here.",
      "Line 2: left out with all that is in it; it depends on a test that is not known here.",
      "Line 3: left out with all that is in it; line 3: “body”, it is not compared so here.",
      "Line 4: left out with all that is in it; line 4: “header”, it is not compared so here.",
      "Line 5: “notify” is left out.",
      "Line 5: the folder “Shops” becomes a tag.",
      "Line 6: left out, because a rule here does something with an email.",
      "Line 1: left out. Please enter a valid email address",
      "Line 8: left out with all that is in it; line 8: a test is missing.",
    ]);
  });

  it("that looks for one field becomes a rule; all of several fields have no counterpart", () => {
    const one = imported('if exists "X-Bulk" { discard; }');
    expect(one.rules.map(({ conditions }) => conditions)).to.deep.equal([
      [{ field: "header", header: "X-Bulk", operator: "matches_regex", value: "^" }],
    ]);
    for (const test of ['exists ["X-Bulk", "X-Campaign"]', "exists []"]) {
      const { rules, notes } = imported(`if ${test} { discard; }`);
      expect([rules.length, notes.length], test).to.deep.equal([0, 1]);
    }
  });

  it("is refused with the line where it cannot be read", () => {
    const problemOf = (script: string): unknown => {
      const read = importSieve(script);
      return isRight(read) ? read.right : read.left;
    };
    expect(problemOf("keep;\nkeep")).to.equal("Line 2: ; is missing");
    expect(problemOf('if header :is "a" "b" {\n discard;')).to.equal("Line 2: } is missing");
    expect(problemOf('keep "unfinished;')).to.equal("Line 1 cannot be read");
    expect(problemOf(`if ${"not ".repeat(40)}true { keep; }`)).to.match(/at most 32 levels is missing/);
    expect(problemOf("#".repeat(300_000))).to.equal("A script can have at most 256 KB");
  });

  it("is read to an end, whatever it consists of", () => {
    const pieces = fc.constantFrom(
      "if",
      "not",
      "allof",
      "(",
      ")",
      "{",
      "}",
      ";",
      '"a"',
      ":is",
      "[",
      "]",
      ",",
      "7K",
      "#x\n",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((list) => list.join(" ")),
        ),
        (script) => {
          const read = importSieve(script);
          if (isLeft(read)) expect(read.left).to.match(/^Line \d+/);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
