import { expect } from "chai";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import { evaluate, type PreparedRules, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { parseMail } from "../../../../server/relay/evaluate/parseMail.ts";
import { asSent, type Inputs, onInputs } from "../../../support/corpora.ts";
import { skipWithout } from "../../../support/missing.ts";
import { hasPlainFrom, isPlainText } from "./comparableMails.ts";
import { bodyRules, type SharedRule, senderRules, subjectRules } from "./sharedRules.ts";
import { compileSieve, hasPigeonhole, type Pigeonhole } from "./sieve.ts";

const ruleOf = ({ conditions, sieve }: SharedRule, n: number): Rule => ({
  id: `rule${n}`,
  name: sieve,
  type: "content_filter",
  enabled: true,
  conditions,
  actions: [{ type: "tag", params: { tag: "x" } }],
});

const mask = {
  maskEmail: "shop@masks.example",
  labels: [],
  forwardTo: "ada@home.example",
  lastMailAt: null,
  receivedThisMonth: 0,
  received: 0,
  forwarded: 0,
};

const facts = {
  mask,
  account: { confirmed: [], ownDomains: [] },
  category: null,
  size: 0,
  proof: null,
  now: 0,
};

const findMatches = async (rules: PreparedRules, mail: Buffer): Promise<ReadonlySet<number>> => {
  const { applied } = evaluate(rules, await parseMail(mail), facts).decision;
  return new Set(applied.map(({ id }) => Number(id.replace("rule", ""))));
};

/** Mails whose From names nobody for us, because a comment stands inside the domain. */
const withoutAuthor = new Set(["comment-in-domain.eml", "example13.eml"]);

/** How often each rule matched, and the mails with different results. */
interface Comparison {
  readonly held: ReadonlyMap<string, number>;
  readonly differing: readonly string[];
}

describe("Rules and Dovecot Pigeonhole, on odd mails", () => {
  before(function () {
    if (!hasPigeonhole()) skipWithout(this, "sieve-test (Debian's dovecot-sieve)");
  });

  const compare = async (
    shared: readonly SharedRule[],
    mails: readonly { readonly name: string; readonly content: Buffer }[],
  ): Promise<Comparison> => {
    const ours = prepareRules(shared.map(ruleOf), await loadRe2Patterns());
    const theirs: Pigeonhole = compileSieve(shared.map(({ sieve }) => sieve));
    const held = new Map(shared.map(({ sieve }) => [sieve, 0]));
    const differing: string[] = [];
    try {
      for (const { name, content } of mails) {
        const [one, other] = [await findMatches(ours, content), theirs.holding(content)];
        for (const [n, { sieve }] of shared.entries()) {
          if (one.has(n)) held.set(sieve, (held.get(sieve) ?? 0) + 1);
          if (one.has(n) !== other.has(n)) differing.push(`${name}: ${sieve}`);
        }
      }
    } finally {
      theirs.remove();
    }
    return { held, differing };
  };

  const mailsSuchThat = ({ files }: Inputs, holds: (mail: Buffer) => boolean) =>
    files("oddMails")
      .map(({ name, content }) => ({ name, content: asSent(content) }))
      .filter(({ name, content }) => !withoutAuthor.has(name) && holds(content));

  const agree = async (
    inputs: Inputs,
    shared: readonly SharedRule[],
    atLeast: number,
    holds: (mail: Buffer) => boolean,
  ): Promise<void> => {
    const mails = mailsSuchThat(inputs, holds);
    expect(mails.length, "mails that can be compared").to.be.at.least(atLeast);
    const { held, differing } = await compare(shared, mails);
    expect(differing).to.deep.equal([]);
    // The samples are too few for every rule to match one of them.
    for (const [sieve, times] of inputs.areSamples ? [] : held)
      expect(times, `mails for which ${sieve}`).to.be.within(1, mails.length - 1);
  };

  it("are compared 40 times and more in both languages", () => {
    expect(subjectRules.length + senderRules.length + bodyRules.length).to.be.at.least(40);
  });

  onInputs(["oddMails"], (inputs) => {
    it("match the subject alike, in every mail", async () => {
      await agree(inputs, subjectRules, inputs.areSamples ? 15 : 260, () => true);
    });

    it("match the sender alike, where From names one mailbox", async () => {
      await agree(inputs, senderRules, inputs.areSamples ? 10 : 165, hasPlainFrom);
    });

    it("match the text alike, where the mail is one plain text", async () => {
      await agree(inputs, bodyRules, inputs.areSamples ? 4 : 50, isPlainText);
    });
  });
});
