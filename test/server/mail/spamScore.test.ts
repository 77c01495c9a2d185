import { expect } from "chai";
import fc from "fast-check";
import { reasonsAgainst, spamThreshold, toScore } from "../../../server/mail/spamScore.ts";
import type { Authentication, Evidence, Verdict } from "../../../server/proof/evidence.ts";

const verdicts: readonly Verdict[] = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
];

const proven: Evidence = {
  authentication: { spf: "pass", dkim: "pass", dmarc: "pass", arc: "none" },
  policy: "reject",
  standing: "proven",
  results: "",
  alignedBy: ["spf", "dkim"],
  fromFields: 1,
  authors: 1,
  hasFalseName: false,
  hasDate: true,
  hasMessageId: true,
  isTest: false,
};

const score = (authentication: Partial<Authentication>, more: Partial<Evidence> = {}): number =>
  toScore(
    reasonsAgainst({
      ...proven,
      authentication: { spf: "none", dkim: "none", dmarc: "none", arc: "none", ...authentication },
      ...more,
    }),
  );

describe("what speaks against a mail", () => {
  it("is nothing where its domain stands by it, however it was passed on", () => {
    for (const spf of verdicts) expect(score({ spf, dmarc: "pass" }), spf).to.equal(0);
  });

  it("is a domain's own word about mail that is not from it", () => {
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "reject" })).to.equal(8);
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "quarantine" })).to.equal(5);
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "none" })).to.equal(1.5);
  });

  it("stops what a domain's servers did not send and nobody has signed", () => {
    expect(score({ spf: "fail" })).to.equal(spamThreshold);
    expect(score({ spf: "fail", dkim: "pass" })).to.equal(4);
    expect(score({ spf: "softfail" })).to.equal(2.5);
  });

  it("is never a broken signature, which counts as none (RFC 6376, 6.1)", () => {
    for (const dkim of ["fail", "neutral", "permerror", "policy"] as const)
      expect(score({ dkim, spf: "pass" }), dkim).to.equal(0);
    expect(score({ dkim: "fail" })).to.equal(score({ dkim: "none" }));
  });

  const anyVerdict = fc.constantFrom(...verdicts);
  const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
    authentication: fc.record({ spf: anyVerdict, dkim: anyVerdict, dmarc: anyVerdict, arc: anyVerdict }),
    policy: fc.constantFrom("none", "quarantine", "reject"),
    standing: fc.constantFrom("proven", "unproven", "suspicious", "forged"),
    results: fc.constant(""),
    alignedBy: fc.constant([]),
    fromFields: fc.constant(1),
    authors: fc.nat(3),
    hasFalseName: fc.boolean(),
    hasDate: fc.boolean(),
    hasMessageId: fc.boolean(),
    isTest: fc.boolean(),
  });

  it("is never that DNS had no answer", () => {
    fc.assert(
      fc.property(anyEvidence, fc.constantFrom("spf", "dkim", "dmarc", "arc"), (evidence, check) => {
        const { authentication } = evidence;
        const unknown = { ...evidence, authentication: { ...authentication, [check]: "temperror" } };
        const failed = { ...evidence, authentication: { ...authentication, [check]: "fail" } };
        expect(toScore(reasonsAgainst(unknown))).to.be.at.most(toScore(reasonsAgainst(failed)));
      }),
      { numRuns: 2_000 },
    );
    expect(score({ spf: "temperror", dkim: "temperror", dmarc: "temperror" })).to.equal(0);
  });

  it("stands with the heaviest first, and nothing of it is worth less than nothing", () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const points = reasonsAgainst(evidence).map((reason) => reason.points);
        expect(points).to.deep.equal(points.toSorted((one, other) => other - one));
        expect(points.every((one) => one > 0)).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
