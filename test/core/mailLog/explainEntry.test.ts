import { expect } from "chai";
import fc from "fast-check";
import {
  causeTexts,
  describeStep,
  explainDetail,
  isInEntry,
  shortReason,
} from "../../../core/mailLog/explainEntry.ts";
import {
  ForwardedCalendars,
  KeptTrackers,
  LogCause,
  type LogDetail,
  type LogEntry,
  LogResult,
  LogState,
  resultLabels,
} from "../../../core/mailLog/logEntry.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });

const detail = fc.record(
  {
    from: text,
    cause: fc.constantFrom(...(Object.keys(LogCause.keys) as LogCause[])),
    size: fc.nat(),
    rule: fc.constantFrom("r1", "r2", "gone"),
    rules: fc.uniqueArray(
      fc.record({ id: fc.constantFrom("r1", "r2"), name: text, text: fc.constantFrom("", "If a then b") }),
      { selector: ({ id }) => id },
    ),
    checks: fc.record({ spf: text, dkim: text, dmarc: text, arc: text }),
    spam: fc.record({
      score: fc.nat(20),
      threshold: fc.constant(5),
      reasons: fc.array(text, { maxLength: 3 }),
    }),
    list: fc.constantFrom("allow" as const, "block" as const),
    tags: fc.array(text, { maxLength: 2 }),
    keptTrackers: fc.constantFrom(...(Object.keys(KeptTrackers.keys) as KeptTrackers[])),
    calendars: fc.constantFrom(...(Object.keys(ForwardedCalendars.keys) as ForwardedCalendars[])),
    monthLimit: fc.nat(),
    reply: text,
  },
  { requiredKeys: ["from", "cause"] },
) as fc.Arbitrary<LogDetail>;

describe("The explanation of a logged mail", () => {
  it("has a sentence for every cause, and each is its own", () => {
    const sentences = Object.keys(LogCause.keys).map((cause) => causeTexts[cause as LogCause]("“R”"));
    for (const sentence of sentences) expect(sentence).to.match(/^[A-Z].*\.$/);
    expect(new Set(sentences).size).to.equal(sentences.length);
    for (const result of Object.keys(LogResult.keys))
      expect(resultLabels[result as LogResult]).to.match(/^[A-Z]/);
  });

  it("consists of whole sentences, whatever is known", () => {
    fc.assert(
      fc.property(detail, (known) => {
        const sentences = explainDetail(known);
        expect(sentences.length).to.be.greaterThan(0);
        for (const sentence of sentences) {
          expect(sentence).to.match(/^[A-Z].*\.$/s);
          expect(sentence).not.to.match(/undefined|null|NaN/);
        }
        for (const { name } of known.rules ?? []) expect(sentences.join(" ")).to.contain(name);
        for (const reason of known.spam?.reasons ?? []) expect(sentences.join(" ")).to.contain(reason);
      }),
    );
  });

  it("names each step, how often it was, where to and what was answered", () => {
    for (const state of Object.keys(LogState.keys) as LogState[])
      expect(describeStep({ state, at: "", times: 1, detail: null, sealed: null })).to.match(/^[A-Z]/);
    const step = { at: "", sealed: null, detail: { to: "me@home.example", answer: "450 busy" } };
    expect(describeStep({ ...step, state: "deferred", times: 3 })).to.equal(
      "Delayed 3 times to me@home.example: “450 busy”",
    );
    expect(describeStep({ ...step, state: "released", times: 1, detail: null })).to.equal(
      "Released, and sent again",
    );
  });

  it("is short on a line: the rule that decided, or the answer of a server that did not take the mail", () => {
    const entry: LogEntry = {
      id: "1",
      at: "2026-11-22T10:00:00.000Z",
      direction: "received",
      maskId: "m",
      result: "blocked",
      sealed: null,
      detail: {
        from: "",
        cause: "rule-blocked",
        rule: "r",
        rules: [{ id: "r", name: "Block sales", text: "" }],
      },
      steps: [],
    };
    expect(shortReason(entry)).to.equal("rule Block sales");
    const answered = { to: "me@home.example", answer: "550 no such user" };
    const step = { state: "bounced", at: entry.at, times: 1, sealed: null, detail: answered } as const;
    expect(shortReason({ ...entry, result: "bounced", steps: [step] })).to.equal("550 no such user");
    expect(shortReason({ ...entry, detail: { from: "", cause: "sender-waits" } })).to.equal(
      "first-time sender",
    );
    expect(shortReason({ ...entry, detail: null })).to.equal("");
  });

  it("is searched without regard to case, and is found by no text", () => {
    const entry: LogEntry = {
      id: "1",
      at: "2026-11-22T10:00:00.000Z",
      direction: "received",
      maskId: "m",
      result: "delivered",
      sealed: null,
      detail: { from: "Orders@Shop.example", cause: "forwarded", rules: [] },
      steps: [
        {
          state: "delivered",
          at: "2026-11-22T10:00:00.000Z",
          times: 1,
          sealed: null,
          detail: { to: "me@home.example", answer: "250 ok" },
        },
      ],
    };
    for (const found of ["", " shop.EX ", "250 OK", "home"])
      expect(isInEntry(entry, found), found).to.equal(true);
    for (const other of ["forwarded", "elsewhere"]) expect(isInEntry(entry, other), other).to.equal(false);
    expect(isInEntry({ ...entry, detail: null, steps: [] }, "shop")).to.equal(false);
    expect(isInEntry({ ...entry, detail: null, steps: [] }, "")).to.equal(true);
  });
});
