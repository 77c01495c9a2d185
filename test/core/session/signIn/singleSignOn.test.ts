import { expect } from "chai";
import {
  parseSignOnArrival,
  type SignOnArrival,
  signOnAddress,
  signOnProblems,
  signOnProblemText,
} from "../../../../core/session/signIn/singleSignOn.ts";

describe("The way back from the identity provider", () => {
  const arrivals: readonly SignOnArrival[] = [
    { kind: "ticket", ticket: "a-Ticket_1" },
    ...signOnProblems.map((problem) => ({ kind: "problem", problem }) as const),
  ];

  it("is read as it was written", () => {
    for (const arrival of arrivals) {
      const address = signOnAddress(arrival);
      expect(address).to.match(/^\/login#/);
      expect(parseSignOnArrival(address.slice("/login".length))).to.deep.equal(arrival);
    }
  });

  it("is nothing else than a ticket or a known problem", () => {
    for (const other of [
      "",
      "#",
      "#sso",
      "#sso=",
      "#sso=a/b",
      `#sso=${"a".repeat(101)}`,
      "#sso-error=made-up",
      "#sso-error=",
      "#sign-in=a/b",
      "#invite=x",
      " #sso=a",
    ])
      expect(parseSignOnArrival(other), other).to.equal(null);
  });

  it("has a sentence for each problem, which leads on and offers codes only where there are some", () => {
    const texts = signOnProblems.map((problem) => signOnProblemText(problem, { name: "Home", only: false }));
    expect(new Set(texts)).to.have.length(signOnProblems.length);
    for (const text of texts) expect(text).to.match(/Home.*code by email\.$/);
    for (const problem of signOnProblems)
      expect(signOnProblemText(problem, { name: "Home", only: true }))
        .to.match(/\.$/)
        .and.not.include("code");
  });
});
