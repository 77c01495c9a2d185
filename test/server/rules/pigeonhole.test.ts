import { expect } from "chai";
import { loadRe2Patterns } from "../../../adapters/re2/re2Patterns.ts";
import { evaluate, type PreparedRules, prepareRules } from "../../../core/rules/engine/evaluate.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { parseMail } from "../../../server/mail/parseMail.ts";
import { skipWithout } from "../../support/missing.ts";
import { filesOf, needsCorpora } from "../support/corpora.ts";
import { hasPlainFrom, isPlainText } from "./comparableMails.ts";
import { bodyRules, type SharedRule, senderRules, subjectRules } from "./sharedRules.ts";
import { compileSieve, hasPigeonhole, type Pigeonhole } from "./sieve.ts";

const corpora: readonly (readonly [string, string])[] = [
  ["cpython", ".txt"],
  ["enmime", ".raw"],
  ["mime4j-testmsgs", ".msg"],
  ["postal-mime", ".eml"],
  ["ruby-mail", ".eml"],
  ["stalwart-rfc", ".eml"],
];

/** Converts line endings to CRLF and adds a last one, as a mail program does when it sends a file. */
const asSent = (file: Buffer): Buffer => {
  const lines = file.toString("latin1").replace(/\r?\n/g, "\r\n");
  return Buffer.from(lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1");
};

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

/** A mail whose From names nobody for us, because a comment stands inside the domain. */
const withoutAuthor = "example13.eml";

/** How often each rule matched, and the mails with different results. */
interface Comparison {
  readonly held: ReadonlyMap<string, number>;
  readonly differing: readonly string[];
}

describe("Rules and Dovecot Pigeonhole, on mails from public collections", () => {
  before(function () {
    needsCorpora.call(this);
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

  const mailsSuchThat = (holds: (mail: Buffer) => boolean) =>
    corpora
      .flatMap(([folder, ending]) => filesOf(`mime/${folder}`, ending))
      .map(({ name, content }) => ({ name, content: asSent(content) }))
      .filter(({ name, content }) => name !== withoutAuthor && holds(content));

  const agree = async (
    shared: readonly SharedRule[],
    atLeast: number,
    holds: (mail: Buffer) => boolean,
  ): Promise<void> => {
    const mails = mailsSuchThat(holds);
    expect(mails.length, "mails that can be compared").to.be.at.least(atLeast);
    const { held, differing } = await compare(shared, mails);
    expect(differing).to.deep.equal([]);
    for (const [sieve, times] of held)
      expect(times, `mails for which ${sieve}`).to.be.within(1, mails.length - 1);
  };

  it("are compared 40 times and more in both languages", () => {
    expect(subjectRules.length + senderRules.length + bodyRules.length).to.be.at.least(40);
  });

  it("match the subject alike, in every mail", async () => {
    await agree(subjectRules, 260, () => true);
  });

  it("match the sender alike, where From names one mailbox", async () => {
    await agree(senderRules, 165, hasPlainFrom);
  });

  it("match the text alike, where the mail is one plain text", async () => {
    await agree(bodyRules, 50, isPlainText);
  });
});
