import { expect } from "chai";
import fc from "fast-check";
import { right } from "fp-ts/lib/Either.js";
import { maxTextLength, type ParsedMail, toParsedMail } from "../../../../core/mail/parsedMail.ts";
import { evaluate, getRequirements, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import { reasonMessages } from "../../../../core/rules/engine/explanation.ts";
import type { AccountFacts, MaskFacts } from "../../../../core/rules/engine/facts.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { anyRules } from "../anyRule.ts";

const now = Date.UTC(2026, 10, 20, 9, 0);
const mask: MaskFacts = {
  maskEmail: "shop@masks.example",
  forwardTo: "ada@example.org",
  lastMailAt: now - 90_000_000,
  receivedThisMonth: 3,
  received: 10,
  forwarded: 9,
};
const account: AccountFacts = { confirmed: ["ada@example.org"], ownDomains: ["masks.example"] };
const mail: ParsedMail = {
  from: { name: "Bob", address: "bob@example.net" },
  to: ["shop@masks.example"],
  subject: "Your order",
  headers: [],
  text: "Thank you.",
  category: null,
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
const explained = (rules: readonly Rule[], message = mail) =>
  evaluate(message, mask, rules, account, now).explanation;

describe("Why a mail is decided as it is", () => {
  it("is told rule by rule and condition by condition, with what each one saw", () => {
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

  it("says which rules were not looked at: switched off, after stop, after a block", () => {
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

  it("says which actions came to nothing, and why", () => {
    const held = explained([
      rule("a", {
        actions: [
          { type: "forward", params: { email: "stranger@example.net", immediate: true } },
          { type: "auto-reply", params: { subject: "", message: "Hi" } },
          { type: "auto-reply", params: { subject: "", message: "Hi again" } },
          { type: "archive", params: { markAsRead: true } },
        ],
      }),
    ])[0]?.actions.map(({ done, reason }) => reason ?? done);
    expect(held).to.deep.equal(["unconfirmed", true, "answered-already", true]);
    const block = rule("b", { actions: [{ type: "block", params: { silentBlock: true } }] });
    expect(explained([rule("a"), block]).map(({ actions }) => actions[0]?.reason)).to.deep.equal([
      "overruled-by-block",
      null,
    ]);
  });

  it("has a sentence for every reason", () => {
    for (const sentence of Object.values(reasonMessages)) expect(sentence).to.match(/^[A-Z].+\.$/);
  });

  it("shows no more than the beginning of a long text", () => {
    const long = { ...mail, text: "order ".repeat(10_000) };
    const body = rule("a", { conditions: [{ field: "body", operator: "contains", value: ["order"] }] });
    expect(String(explained([body], long)[0]?.conditions[0]?.actual)).to.have.lengthOf(200);
  });
});

describe("A mail whose text was not read", () => {
  const unread = { ...mail, text: null };
  const onText = (operator: "contains" | "not_contains", field: "body" | "text" = "body"): Rule =>
    rule("text", { conditions: [{ field, operator, value: ["order"] }] });

  it("is decided by the rules on its header alone, negative ones on text included", () => {
    for (const one of [onText("contains"), onText("not_contains"), onText("contains", "text")]) {
      const decision = evaluate(unread, mask, [one, rule("a")], account, now);
      expect(decision.tags).to.deep.equal(["a"]);
      expect(decision.explanation[0]).to.deep.include({ outcome: "not-looked-at", reason: "text-unread" });
    }
  });
});

describe("What rules need of a mail", () => {
  const on = (field: "subject" | "body" | "text" | "category", more: Partial<Rule> = {}): Rule =>
    rule("a", { conditions: [{ field, operator: "equals", value: "x" }], ...more });

  it("is the header, unless a rule that is switched on looks at the text", () => {
    expect(getRequirements([on("subject")])).to.deep.equal({ text: false, patterns: false, category: false });
    expect(getRequirements([on("subject"), on("body")]).text).to.equal(true);
    expect(getRequirements([on("text")]).text).to.equal(true);
    expect(getRequirements([on("body", { enabled: false })]).text).to.equal(false);
    expect(getRequirements([on("category")]).category).to.equal(true);
    expect(getRequirements([])).to.deep.equal({ text: false, patterns: false, category: false });
  });

  it("is an engine only where there is a regular expression, and without one such conditions match nothing", () => {
    const regex = rule("a", {
      conditions: [{ field: "subject", operator: "matches_regex", value: "order" }],
    });
    expect(getRequirements([regex]).patterns).to.equal(true);
    const [one] = explained([regex]);
    expect(one?.conditions[0]).to.deep.include({ matched: false, reason: "pattern-refused" });
    expect(evaluate(mail, mask, [regex], account, now, () => right(() => true)).tags).to.deep.equal(["a"]);
  });

  it("is told before a mail is read, and reading the text of others is not needed for the same decision", () => {
    fc.assert(
      fc.property(anyRules(6), (rules) => {
        fc.pre(!getRequirements(rules).text);
        const prepared = prepareRules(rules);
        const decided = (text: string | null): unknown =>
          prepared.decide({ mail: { ...mail, text }, mask, account }, now);
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
    category: fc.option(fc.string()),
  });

  it("comes of any rules and any mail, the same without and with the reasons", () => {
    fc.assert(
      fc.property(anyRules(8), anyMessage, fc.integer({ min: 0, max: 4e12 }), (rules, mail, time) => {
        const prepared = prepareRules(rules);
        const { explanation, ...decision } = prepared.explain({ mail, mask, account }, time);
        expect(prepared.decide({ mail, mask, account }, time)).to.deep.equal(decision);
        expect(explanation.map(({ ruleId }) => ruleId)).to.deep.equal(rules.map(({ id }) => id));
        const matched = explanation
          .filter(({ outcome }) => outcome === "matched")
          .map(({ ruleId }) => ruleId);
        for (const { id } of decision.applied) expect(matched).to.include(id);
      }),
      { numRuns: 1_000 },
    );
  });

  it("sends a mail somewhere unless it is blocked or archived, and never where nobody has confirmed", () => {
    fc.assert(
      fc.property(anyRules(8), anyMessage, (rules, message) => {
        const { block, destinations, digest, archive, tags } = evaluate(message, mask, rules, account, now);
        const places = [...destinations, ...digest];
        if (block) expect([...places, ...tags, ...(archive ? ["archive"] : [])]).to.deep.equal([]);
        else expect(places.length > 0 || archive !== null).to.equal(true);
        for (const place of places) expect(place).to.equal("ada@example.org");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("A parsed mail", () => {
  it("is cut after 65,536 characters, and not inside one", () => {
    const message = toParsedMail({ text: `a${"🎭".repeat(40_000)}` });
    expect(message.text?.length).to.equal(maxTextLength - 1);
    expect(message.text?.isWellFormed()).to.equal(true);
  });

  it("may lack everything", () => {
    expect(toParsedMail({})).to.deep.equal({
      from: null,
      to: [],
      subject: "",
      headers: [],
      text: "",
      category: null,
    });
  });

  it("has the addresses of groups, and its HTML where the text is empty", () => {
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
