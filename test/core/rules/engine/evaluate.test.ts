import { expect } from "chai";
import fc from "fast-check";
import { right } from "fp-ts/lib/Either.js";
import { maxTextLength, type ParsedMail, toParsedMail } from "../../../../core/mail/parsedMail.ts";
import {
  type Evaluation,
  evaluate,
  explain,
  getRequirements,
  needsContent,
  prepareRules,
} from "../../../../core/rules/engine/evaluate.ts";
import { type ConditionExplanation, reasonMessages } from "../../../../core/rules/engine/explanation.ts";
import { type Facts, writtenProof } from "../../../../core/rules/engine/facts.ts";
import type { Condition } from "../../../../core/rules/model/condition.ts";
import { isGroup } from "../../../../core/rules/model/conditionGroup.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { anyRules } from "../anyRule.ts";

const now = Date.UTC(2026, 10, 20, 9, 0);
const facts: Facts = {
  mask: {
    maskEmail: "shop@masks.example",
    labels: [],
    forwardTo: "ada@example.org",
    lastMailAt: now - 90_000_000,
    receivedThisMonth: 3,
    received: 10,
    forwarded: 9,
  },
  account: { confirmed: ["ada@example.org"], ownDomains: ["masks.example"] },
  category: null,
  size: 2_048,
  proof: null,
  now,
};
const mail: ParsedMail = {
  from: { name: "Bob", address: "bob@example.net" },
  to: ["shop@masks.example"],
  subject: "Your order",
  headers: [],
  text: "Thank you.",
  htmlText: null,
  isTextCut: false,
  attachments: [],
};
const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  name: `Rule ${id}`,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["order"] }],
  actions: [{ type: "tag", params: { tag: id } }],
  ...more,
});
const evaluated = (rules: readonly Rule[], message: ParsedMail | null = mail): Evaluation =>
  evaluate(prepareRules(rules), message, facts);
const explained = (rules: readonly Rule[], message = mail) => explain(evaluated(rules, message));

describe("The reasons for a decision", () => {
  it("are listed rule by rule and condition by condition, with the values compared", () => {
    const [one] = explained([
      rule("a", {
        conditions: [
          { field: "subject", operator: "contains", value: ["order"] },
          { field: "days", operator: "greater_than", value: 30 },
          {
            field: "time",
            operator: "during",
            value: { startTime: "10:00", endTime: "11:00", timeZone: "Europe/Zurich" },
          },
        ],
      }),
    ]);
    expect(one).to.deep.include({ ruleId: "a", name: "Rule a", outcome: "not-matched", reason: null });
    expect(one?.conditions.map(({ actual, matched }) => [actual, matched])).to.deep.equal([
      ["Your order", true],
      [1, false],
      ["10:00", true],
    ]);
    expect(one?.actions.map(({ done }) => done)).to.deep.equal([null]);
  });

  it("name the rules that were not evaluated: switched off, after stop, after a block", () => {
    const off = rule("off", { enabled: false });
    const stop = rule("stop", { metadata: { stop: true } });
    const block = rule("block", { actions: [{ type: "block", params: { silentBlock: true } }] });
    const whys = (...rules: readonly Rule[]): unknown =>
      explained(rules).map(({ outcome, reason }) => reason ?? outcome);
    expect(whys(off, stop, rule("a"))).to.deep.equal(["disabled", "matched", "after-stop"]);
    expect(whys(rule("a"), block, rule("b"), off)).to.deep.equal([
      "matched",
      "matched",
      "after-block",
      "after-block",
    ]);
  });

  it("name the actions without effect, and why", () => {
    const actions = explained([
      rule("a", {
        actions: [
          { type: "forward", params: { email: "stranger@example.net", immediate: true, daily: false } },
          { type: "auto-reply", params: { subject: "", message: "Hi" } },
          { type: "auto-reply", params: { subject: "", message: "Hi again" } },
          { type: "archive", params: { markAsRead: true } },
        ],
      }),
    ])[0]?.actions.map(({ done, reason }) => reason ?? done);
    expect(actions).to.deep.equal(["unconfirmed", true, "answered-already", true]);
    const block = rule("b", { actions: [{ type: "block", params: { silentBlock: true } }] });
    expect(explained([rule("a"), block]).map(({ actions }) => actions[0]?.reason)).to.deep.equal([
      "overruled-by-block",
      null,
    ]);
  });

  it("say what the mail has not, and what a held mail is not used for", () => {
    const [one] = explained([
      rule("a", {
        conditions: [
          { field: "header", header: "X-Priority", operator: "contains", value: ["1"] },
          { field: "spf", operator: "equals", value: "pass" },
          { field: "attachmentName", operator: "ends_with", value: ".exe" },
        ],
      }),
    ]);
    expect(one?.conditions.map(({ actual, reason }) => [actual, reason])).to.deep.equal([
      [null, "no-header"],
      [null, "not-checked"],
      [null, "no-attachment"],
    ]);
    const held = rule("a", {
      actions: [
        { type: "hold", params: {} },
        { type: "archive", params: { markAsRead: false } },
        { type: "auto-reply", params: { subject: "", message: "Hi" } },
        { type: "tag", params: { tag: "Later" } },
      ],
    });
    expect(explained([held])[0]?.actions.map(({ reason }) => reason)).to.deep.equal([
      null,
      "overruled-by-hold",
      "overruled-by-hold",
      null,
    ]);
    const { hold, destinations, archive, autoReply, tags } = evaluated([held]).decision;
    expect({ hold, destinations, archive, autoReply, tags }).to.deep.equal({
      hold: { ruleId: "a" },
      destinations: ["ada@example.org"],
      archive: null,
      autoReply: null,
      tags: ["Later"],
    });
  });

  it("read the checks of a sender that a mail names", () => {
    const value = "mx.example; spf=SoftFail smtp.mailfrom=a.example; dkim=pass header.d=a.example";
    expect(writtenProof([{ name: "authentication-results", value }])).to.deep.equal({
      spf: "softfail",
      dkim: "pass",
      dmarc: "none",
      arc: "none",
    });
    expect(writtenProof([])).to.equal(null);
  });

  it("have a sentence for every code", () => {
    for (const sentence of Object.values(reasonMessages)) expect(sentence).to.match(/^[A-Z].+\.$/);
  });

  it("tell of a group what each of its conditions saw", () => {
    const grouped = rule("a", {
      conditions: [
        {
          match: "any",
          conditions: [
            { field: "subject", operator: "contains", value: ["invoice"] },
            { match: "none", conditions: [{ field: "sender", operator: "contains", value: ["carol"] }] },
          ],
        },
      ],
    });
    const [one] = explained([grouped]);
    expect(one?.outcome).to.equal("matched");
    expect(one?.conditions[0]).to.containSubset({
      matched: true,
      actual: null,
      parts: [
        { matched: false, actual: "Your order" },
        { matched: true, parts: [{ matched: false, actual: "bob@example.net" }] },
      ],
    });
  });

  it("do not let “none of” hold where nothing can be said: a cut text, an expression that cannot be used", () => {
    const none = (condition: Condition): Rule =>
      rule("a", { conditions: [{ match: "none", conditions: [condition] }] });
    const hidden = none({ field: "body", operator: "contains", value: ["hidden"] });
    const applies = (one: Rule, message = mail): boolean => evaluated([one], message).matching.length === 1;
    expect(applies(hidden)).to.equal(true);
    expect(applies(hidden, { ...mail, isTextCut: true })).to.equal(false);
    expect(explained([hidden], { ...mail, isTextCut: true })[0]?.conditions[0]?.reason).to.equal("undecided");
    expect(applies(none({ field: "subject", operator: "matches_regex", value: "invoice" }))).to.equal(false);
    expect(applies(none({ field: "subject", operator: "contains", value: ["order"] }))).to.equal(false);
  });

  it("show only the beginning of a long text", () => {
    const long = { ...mail, text: "order ".repeat(10_000) };
    const body = rule("a", { conditions: [{ field: "body", operator: "contains", value: ["order"] }] });
    expect(String(explained([body], long)[0]?.conditions[0]?.actual)).to.have.lengthOf(200);
  });
});

describe("A mail without extracted text", () => {
  const unread = { ...mail, text: null };
  const onText = (operator: "contains" | "not_contains", field: "body" | "text" = "body"): Rule =>
    rule("text", { conditions: [{ field, operator, value: ["order"] }] });

  it("is decided by the rules on its header alone; rules on its text do not match, negated ones included", () => {
    for (const one of [onText("contains"), onText("not_contains"), onText("contains", "text")]) {
      const evaluation = evaluated([one, rule("a")], unread);
      expect(evaluation.decision.tags).to.deep.equal(["a"]);
      expect(explain(evaluation)[0]).to.deep.include({ outcome: "not-looked-at", reason: "text-unread" });
    }
  });
});

describe("An unreadable mail", () => {
  it("is forwarded, whatever the rules say", () => {
    const block = rule("b", { actions: [{ type: "block", params: { silentBlock: true } }] });
    const evaluation = evaluated([block], null);
    expect(evaluation.decision.destinations).to.deep.equal(["ada@example.org"]);
    expect(explain(evaluation)).to.deep.equal([]);
  });
});

describe("The part of a mail that rules need", () => {
  const on = (field: "subject" | "body" | "text" | "category", more: Partial<Rule> = {}): Rule =>
    rule("a", { conditions: [{ field, operator: "equals", value: "x" }], ...more });

  it("is the header, unless an enabled rule has a condition on the text", () => {
    const sources = (...rules: readonly Rule[]) => [...getRequirements(rules).sources];
    expect(sources(on("subject"))).to.deep.equal(["header"]);
    expect(sources(on("subject"), on("body"))).to.deep.equal(["header", "text"]);
    expect(sources(on("text"))).to.deep.equal(["text"]);
    expect(sources(on("body", { enabled: false }))).to.deep.equal([]);
    expect(sources(on("category"))).to.deep.equal(["classifier"]);
    expect(getRequirements([])).to.deep.equal({ sources: new Set(), patterns: false });
    expect(getRequirements([on("subject")]).patterns).to.equal(false);
  });

  it("is a regular-expression engine only where a rule has one; without the engine such conditions do not match", () => {
    const regex = rule("a", {
      conditions: [{ field: "subject", operator: "matches_regex", value: "order" }],
    });
    expect(getRequirements([regex]).patterns).to.equal(true);
    const [one] = explained([regex]);
    expect(one?.conditions[0]).to.deep.include({ matched: false, reason: "pattern-refused" });
    const matching = prepareRules([regex], () => right(() => true));
    expect(evaluate(matching, mail, facts).decision.tags).to.deep.equal(["a"]);
  });

  it("is known before a mail is read, and leaving out the text otherwise does not change the decision", () => {
    fc.assert(
      fc.property(anyRules(6), (rules) => {
        fc.pre(!needsContent(getRequirements(rules).sources));
        const decided = (text: string | null): unknown => evaluated(rules, { ...mail, text }).decision;
        expect(decided(null)).to.deep.equal(decided("some text"));
      }),
    );
  });
});

describe("A decision", () => {
  const anyMessage: fc.Arbitrary<ParsedMail> = fc.record({
    from: fc.option(fc.record({ name: fc.string(), address: fc.oneof(fc.string(), fc.emailAddress()) })),
    to: fc.array(fc.string()),
    subject: fc.oneof(fc.string({ unit: "binary" }), fc.constant("sale a, b Zürich")),
    headers: fc.array(fc.record({ name: fc.string(), value: fc.string() })),
    text: fc.option(fc.string({ unit: "binary" })),
    htmlText: fc.option(fc.string({ unit: "binary" })),
    isTextCut: fc.boolean(),
    attachments: fc.array(
      fc.record({ name: fc.string(), type: fc.constantFrom("text/plain", "application/pdf") }),
    ),
  });

  const anyFacts: fc.Arbitrary<Facts> = fc
    .tuple(fc.option(fc.string()), fc.integer({ min: 0, max: 4e12 }))
    .map(([category, now]) => ({ ...facts, category, now }));

  it("exists for any rules and any mail, with a reason for each rule", () => {
    fc.assert(
      fc.property(anyRules(8), anyMessage, anyFacts, (rules, mail, anyOf) => {
        const evaluation = evaluate(prepareRules(rules), mail, anyOf);
        const { decision } = evaluation;
        const explanation = explain(evaluation);
        expect(explanation.map(({ ruleId }) => ruleId)).to.deep.equal(rules.map(({ id }) => id));
        const matched = explanation
          .filter(({ outcome }) => outcome === "matched")
          .map(({ ruleId }) => ruleId);
        for (const { id } of decision.applied) expect(matched).to.include(id);
      }),
      { numRuns: 1_000 },
    );
  });

  it("applies exactly the rules whose conditions and groups its explanation says hold", () => {
    const holds = ({ condition, matched, parts }: ConditionExplanation): boolean => {
      if (!isGroup(condition)) return matched;
      const all = parts.map(holds);
      const unknown = condition.match === "none" && !matched && !all.some(Boolean);
      const expected = {
        all: all.every(Boolean),
        any: all.some(Boolean),
        none: !unknown && !all.some(Boolean),
      }[condition.match];
      expect(matched).to.equal(expected);
      return matched;
    };
    fc.assert(
      fc.property(anyRules(6), anyMessage, anyFacts, (rules, mail, anyOf) => {
        for (const { outcome, conditions } of explain(evaluate(prepareRules(rules), mail, anyOf)))
          if (outcome !== "not-looked-at")
            expect(outcome === "matched").to.equal(conditions.map(holds).every(Boolean));
      }),
      { numRuns: 500 },
    );
  });

  it("sends a mail somewhere unless it is blocked or archived, and never to an unconfirmed destination", () => {
    fc.assert(
      fc.property(anyRules(8), anyMessage, (rules, message) => {
        const { block, destinations, digest, dailyDigest, archive, tags } = evaluated(
          rules,
          message,
        ).decision;
        const places = [...destinations, ...digest, ...dailyDigest];
        if (block) expect([...places, ...tags, ...(archive ? ["archive"] : [])]).to.deep.equal([]);
        else expect(places.length > 0 || archive !== null).to.equal(true);
        for (const place of places) expect(place).to.equal("ada@example.org");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("A parsed mail", () => {
  it("is cut after 65,536 characters, and not inside a character", () => {
    const message = toParsedMail({ text: `a${"🎭".repeat(40_000)}` });
    expect(message.text?.length).to.equal(maxTextLength - 1);
    expect(message.text?.isWellFormed()).to.equal(true);
  });

  it("may lack every field", () => {
    expect(toParsedMail({})).to.deep.equal({
      from: null,
      to: [],
      subject: "",
      headers: [],
      text: "",
      htmlText: null,
      isTextCut: false,
      attachments: [],
    });
  });

  it("contains the addresses of groups, and the text of its HTML where it has no plain text", () => {
    const message = toParsedMail({
      from: { name: "Team", group: [{ name: "A", address: "a@example.org" }] },
      to: [
        { name: "", group: [{ name: "", address: "b@example.org" }] },
        { name: "", address: "" },
      ],
      text: "  \n",
      html: "<b>Hi</b>",
    });
    expect(message.from?.address).to.equal("a@example.org");
    expect(message.to).to.deep.equal(["b@example.org"]);
    expect(message.text).to.equal("Hi");
  });
});
