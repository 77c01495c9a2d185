import { expect } from "chai";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import { blockedDecision, type Decision } from "../../../../core/rules/engine/decision.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import {
  createEvaluateMail,
  type EvaluationInput,
  type EvaluationTask,
} from "../../../../server/relay/evaluate/evaluate.ts";
import { parseHeader } from "../../../../server/relay/evaluate/parseMail.ts";
import { rule } from "../../support/ruledMask.ts";

const now = Date.UTC(2026, 10, 20, 9);

const input = (userId: string, rules: readonly Rule[]): EvaluationInput => ({
  userId,
  rules: { before: "[]", mask: JSON.stringify(rules), after: "[]" },
  facts: {
    mask: {
      maskEmail: "shop@masks.example",
      labels: [],
      forwardTo: "ada@home.example",
      lastMailAt: null,
      receivedThisMonth: 0,
      received: 0,
      forwarded: 0,
    },
    account: { confirmed: [], ownDomains: ["masks.example"] },
    category: null,
    size: 2_048,
    proof: null,
    now,
  },
});

const tag = (name: string, conditions: Rule["conditions"], n: number): Rule =>
  rule([{ type: "tag", params: { tag: name } }], conditions, n);

const onHeader = tag("Header", [{ field: "subject", operator: "contains", value: ["order"] }], 1);
const onText = tag("Text", [{ field: "body", operator: "not_contains", value: ["nothing"] }], 2);
const onPattern = tag("Pattern", [{ field: "subject", operator: "matches_regex", value: "order" }], 3);

describe("Evaluating the rules for a mail", () => {
  let parsedMail: ParsedMail | null;
  let readings: EvaluationTask[];
  let owners: string[];

  before(async () => {
    parsedMail = await parseHeader(Buffer.from("From: a@shop.example\r\nSubject: Your order\r\n"));
  });
  beforeEach(() => {
    [readings, owners] = [[], []];
  });

  const judge = (answer: () => Promise<readonly Decision[]>) =>
    createEvaluateMail({
      run: (reading, owner) => {
        readings.push(reading);
        owners.push(owner);
        return answer();
      },
    });
  const unreadable = judge(async () => {
    throw new Error("took too long");
  });
  let checks = 0;
  const readProof = async () => {
    checks += 1;
    return { spf: "pass", dkim: "none", dmarc: "pass", arc: "none" };
  };
  const readContent = async () => ({ content: Buffer.from("a mail"), hasText: true });

  it("parses nothing for masks without rules, and no text where the header is enough", async () => {
    const [none, header] = await unreadable({ readContent, parsedMail, readProof }, [
      input("ada", []),
      input("ada", [onHeader]),
    ]);
    expect([none?.readDepth, none?.decision.tags]).to.deep.equal(["nothing", []]);
    expect([header?.readDepth, header?.decision.tags]).to.deep.equal(["header", ["Header"]]);
    expect(readings).to.deep.equal([]);
  });

  it("waits for the checks of the sender only for rules that use them, and parses no text for that", async () => {
    const onProof = tag("Proof", [{ field: "spf", operator: "equals", value: "pass" }], 4);
    const onSize = tag("Size", [{ field: "size", operator: "greater_than", value: 1 }], 5);
    await unreadable({ readContent, parsedMail, readProof }, [input("ada", [onHeader, onSize])]);
    expect(checks).to.equal(0);
    const [judged] = await unreadable({ readContent, parsedMail, readProof }, [
      input("ada", [onProof, onSize]),
    ]);
    expect([judged?.readDepth, judged?.decision.tags]).to.deep.equal(["header", ["Proof", "Size"]]);
    expect([checks, readings]).to.deep.equal([1, []]);
  });

  it("uses the header alone where the text is too large: rules on text or with a pattern do not apply", async () => {
    const [judged] = await unreadable({ readContent, parsedMail, readProof }, [
      input("ada", [onHeader, onText, onPattern]),
    ]);
    expect(judged?.readDepth).to.equal("header-for-trouble");
    expect(judged?.decision.tags).to.deep.equal(["Header"]);
    expect(judged?.decision.destinations).to.deep.equal(["ada@home.example"]);
  });

  it("says that the header alone was read of a mail of too many parts", async () => {
    const read = judge(async () =>
      readings.flatMap(({ inputs }) =>
        inputs.map(() => blockedDecision({ how: "silent", by: "rule", ruleId: "r" })),
      ),
    );
    const header = { content: Buffer.from("Subject: Your order\r\n"), hasText: false };
    const [judged] = await read({ readContent: async () => header, parsedMail, readProof }, [
      input("ada", [onPattern]),
    ]);
    expect(judged?.readDepth).to.equal("header-for-trouble");
    expect(readings.map(({ mail }) => mail)).to.deep.equal([header]);
  });

  it("forwards a mail whose header cannot be parsed", async () => {
    const [judged] = await unreadable({ readContent, parsedMail: null, readProof }, [
      input("ada", [onHeader]),
    ]);
    expect(judged?.decision.destinations).to.deep.equal(["ada@home.example"]);
    expect(readings).to.have.lengthOf(1);
  });

  it("parses for each user separately, so that the rules of one user do not delay another user", async () => {
    const questions = [input("ada", [onText]), input("bob", [onText]), input("ada", [onPattern])];
    const judged = await unreadable({ readContent, parsedMail, readProof }, questions);
    expect(judged).to.have.lengthOf(3);
    expect(owners).to.deep.equal(["ada", "bob"]);
    expect(readings.map((reading) => reading.inputs.length)).to.deep.equal([2, 1]);
  });
});
