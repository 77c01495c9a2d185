import { expect } from "chai";
import fc from "fast-check";
import type { Authentication, Evidence, Verdict } from "../../../../server/proof/evidence.ts";
import { reasonsAgainst, spamThreshold, toScore } from "../../../../server/relay/evaluate/spamScore.ts";

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
  proof: "proven",
  results: "",
  alignedBy: ["spf", "dkim"],
  fromFields: 1,
  authors: 1,
  authorDomain: "shop.example",
  hasFalseName: false,
  hasDate: true,
  hasMessageId: true,
  unsubscribeSigners: { links: [], oneClick: [] },
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

describe("The spam score of a mail", () => {
  it("is zero where its domain authenticates it, however it was forwarded", () => {
    for (const spf of verdicts) expect(score({ spf, dmarc: "pass" }), spf).to.equal(0);
  });

  it("rises with the strictness of the DMARC policy that a mail fails", () => {
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "reject" })).to.equal(8);
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "quarantine" })).to.equal(5);
    expect(score({ dmarc: "fail", spf: "pass" }, { policy: "none" })).to.equal(1.5);
  });

  it("reaches the threshold when a mail fails SPF and has no valid signature", () => {
    expect(score({ spf: "fail" })).to.equal(spamThreshold);
    expect(score({ spf: "fail", dkim: "pass" })).to.equal(4);
    expect(score({ spf: "softfail" })).to.equal(2.5);
  });

  it("does not rise for a broken signature, which counts as none (RFC 6376, 6.1)", () => {
    for (const dkim of ["fail", "neutral", "permerror", "policy"] as const)
      expect(score({ dkim, spf: "pass" }), dkim).to.equal(0);
    expect(score({ dkim: "fail" })).to.equal(score({ dkim: "none" }));
  });

  const anyVerdict = fc.constantFrom(...verdicts);
  const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
    authentication: fc.record({ spf: anyVerdict, dkim: anyVerdict, dmarc: anyVerdict, arc: anyVerdict }),
    policy: fc.constantFrom("none", "quarantine", "reject"),
    proof: fc.constantFrom("proven", "unproven", "suspicious", "forged"),
    results: fc.constant(""),
    alignedBy: fc.constant([]),
    fromFields: fc.constant(1),
    authorDomain: fc.constant("shop.example"),
    authors: fc.nat(3),
    hasFalseName: fc.boolean(),
    hasDate: fc.boolean(),
    hasMessageId: fc.boolean(),
    unsubscribeSigners: fc.constant({ links: [], oneClick: [] }),
    isTest: fc.boolean(),
  });

  it("does not rise when DNS does not answer", () => {
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

  it("lists the reasons of the highest score first, and none below zero", () => {
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
