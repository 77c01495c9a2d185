import { expect } from "chai";
import { PolicyError, parsePolicy } from "../../../../server/delivery/direct/mtaStsPolicy.ts";

const policy = (...lines: readonly string[]): string =>
  ["version: STSv1", "mode: enforce", "max_age: 86400", ...lines].join("\r\n");

describe("The policy file of a domain (MTA-STS)", () => {
  it("names mail servers, its mode and how long it holds, with blanks around each value", () => {
    expect(
      parsePolicy(policy("mx:  MX1.home.example\t ", "mx: *.home.example", "other: x", "")),
    ).to.deep.equal({
      mode: "enforce",
      mx: ["mx1.home.example", "*.home.example"],
      maxAge: 86_400,
    });
    expect(parsePolicy("version: STSv1\nmode: none\nmax_age: 0\n")).to.deep.equal({
      mode: "none",
      mx: [],
      maxAge: 0,
    });
  });

  it("counts the first of several values, but every server once", () => {
    const file = policy("mode: none", "mx: a.example", "mx: A.example");
    expect(parsePolicy(file))
      .to.include({ mode: "enforce" })
      .and.deep.include({ mx: ["a.example"] });
  });

  it("is refused as a whole when a part is missing or wrong", () => {
    for (const file of [
      "",
      policy(),
      policy("mx: "),
      policy("mx: a b"),
      policy("mx: a.*.example"),
      policy(`mx: ${"a".repeat(300)}`),
      policy("mx: a.example").replace("STSv1", "STSv2"),
      policy("mx: a.example").replace("enforce", "Enforce"),
      policy("mx: a.example").replace("86400", "31557601"),
      policy("mx: a.example").replace("86400", "-1"),
      policy(...Array.from({ length: 201 }, (_, n) => `mx: mx${n}.example`)),
    ])
      expect(() => parsePolicy(file), file).to.throw(PolicyError);
  });
});
