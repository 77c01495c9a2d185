import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { fetchPolicy, PolicyError, parsePolicy } from "../../../../server/delivery/direct/mtaStsPolicy.ts";
import { createTestAuthority } from "../../support/certificates.ts";

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

describe("The host of a policy (MTA-STS)", () => {
  const authority = createTestAuthority();
  let server: Server;
  let answer: { readonly status: number; readonly type: string; readonly body: string };
  before(async () => {
    const certificate = authority.issue("mta-sts.home.example");
    server = createServer(certificate, (_request, response) => {
      response.writeHead(answer.status, { "content-type": answer.type });
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => {
    server.close();
  });
  beforeEach(() => {
    answer = { status: 200, type: "text/plain; charset=utf-8", body: policy("mx: a.example") };
  });

  const fetchFrom = (domain: string): Promise<unknown> =>
    fetchPolicy(domain, async (_name, type) => (type === "A" ? ["127.0.0.1"] : []), {
      port: (server.address() as AddressInfo).port,
      ca: authority.cert,
    }).catch((error: unknown) => error);

  it("gives the policy over HTTPS", async () => {
    expect(await fetchFrom("home.example")).to.deep.include({ mode: "enforce", mx: ["a.example"] });
  });

  it("is not believed without a certificate for its name", async () => {
    expect(await fetchFrom("other.example"))
      .to.be.instanceOf(PolicyError)
      .with.property("isInvalid", false);
  });

  it("is not believed when it redirects, sends something else than text, or more than 64 kB", async () => {
    const bad = [{ status: 302 }, { type: "text/html" }, { body: "a".repeat(65 * 1_024) }];
    for (const one of bad) {
      answer = { status: 200, type: "text/plain", body: policy("mx: a.example"), ...one };
      expect(await fetchFrom("home.example"), JSON.stringify(one).slice(0, 40)).to.be.instanceOf(PolicyError);
    }
  });

  it("is missing without an address", async () => {
    const failure = await fetchPolicy("home.example", async () => []).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(PolicyError);
  });
});
