import { expect } from "chai";
import { SignJWT } from "jose";
import { hourMs } from "../../../../core/kernel/durations.ts";
import type { SignOnProblem } from "../../../../core/session/signIn/singleSignOn.ts";
import { hungMs } from "../../../support/limits.ts";
import { bystander, isOfTest } from "../../support/bystander.ts";
import type { Answer, Client } from "../../support/client.ts";
import {
  type HostileProvider,
  newKey,
  startHostileProvider,
  unsigned,
} from "../../support/hostileProvider.ts";
import { oidcConfigOf, openTicket } from "../../support/signOn.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

type Claims = Readonly<Record<string, unknown>>;
type Query = Record<string, string>;

interface Case {
  readonly name: string;
  readonly problem: SignOnProblem;
  /** What the log says. */
  readonly reason: RegExp;
  /** Changes the provider. */
  readonly provider?: (hostile: HostileProvider) => void;
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Claims, hostile: HostileProvider) => Claims;
  readonly header?: Claims;
  /** Changes what the browser brings back. */
  readonly query?: (query: Query, hostile: HostileProvider) => Query;
  /** Whether nothing may have been sent to the token endpoint. */
  readonly isBeforeToken?: true;
}

const otherKey = newKey("first");
const nowS = (): number => Math.floor(Date.now() / 1_000);
const without = (claims: Claims, name: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const discovering = (more: Claims) => (hostile: HostileProvider) => {
  hostile.answers.set("/.well-known/openid-configuration", { body: { ...hostile.discovery(), ...more } });
};
const answering = (path: string, answer: object) => (hostile: HostileProvider) => {
  hostile.answers.set(path, answer);
};
const huge = { body: `{"keys":[],"more":"${"x".repeat(300_000)}"}` };

const cases: readonly Case[] = [
  // The way back
  {
    name: "no state",
    problem: "expired",
    reason: /another state/,
    query: ({ code = "", iss = "" }) => ({ code, iss }),
    isBeforeToken: true,
  },
  {
    name: "another state",
    problem: "expired",
    reason: /another state/,
    query: (query) => ({ ...query, state: "guessed" }),
    isBeforeToken: true,
  },
  {
    name: "no issuer, though it promises one",
    problem: "refused",
    reason: /callback/,
    query: ({ code = "", state = "" }) => ({ code, state }),
    isBeforeToken: true,
  },
  {
    name: "another issuer (mix-up)",
    problem: "refused",
    reason: /callback/,
    query: (query) => ({ ...query, iss: "https://other.example" }),
    isBeforeToken: true,
  },
  {
    name: "no code",
    problem: "refused",
    reason: /callback/,
    query: ({ state = "", iss = "" }) => ({ state, iss }),
    isBeforeToken: true,
  },
  {
    name: "a token in place of a code",
    problem: "refused",
    reason: /callback/,
    query: ({ state = "", iss = "" }) => ({ state, iss, id_token: "x.y.z" }),
    isBeforeToken: true,
  },
  {
    name: "an error of its own",
    problem: "refused",
    reason: /invalid_scope/,
    query: ({ state = "", iss = "" }) => ({ state, iss, error: "invalid_scope" }),
    isBeforeToken: true,
  },
  {
    name: "that it is busy",
    problem: "unavailable",
    reason: /temporarily_unavailable/,
    query: ({ state = "", iss = "" }) => ({ state, iss, error: "temporarily_unavailable" }),
    isBeforeToken: true,
  },
  // The token endpoint
  {
    name: "a used code",
    problem: "refused",
    reason: /invalid_grant/,
    provider: answering("/token", { status: 400, body: { error: "invalid_grant" } }),
  },
  {
    name: "a wrong client secret",
    problem: "refused",
    reason: /invalid_client|callback/,
    provider: answering("/token", { status: 401, body: { error: "invalid_client" } }),
  },
  {
    name: "no ID token",
    problem: "refused",
    reason: /callback/,
    provider: answering("/token", { body: { access_token: "a", token_type: "Bearer" } }),
  },
  {
    name: "no JSON for tokens",
    problem: "refused",
    reason: /callback/,
    provider: answering("/token", { headers: { "content-type": "text/html" }, body: "<p>Hello" }),
  },
  {
    name: "a failure for tokens",
    problem: "unavailable",
    reason: /answers 503/,
    provider: answering("/token", { status: 503 }),
  },
  {
    name: "a redirect for tokens",
    problem: "refused",
    reason: /redirects/,
    provider: answering("/token", { status: 307, headers: { location: "http://127.0.0.1:9/" } }),
  },
  {
    name: "a huge answer for tokens",
    problem: "refused",
    reason: /too much/,
    provider: answering("/token", huge),
  },
  // The ID token
  {
    name: "a token without a signature (alg=none)",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      hostile.idToken = async () => unsigned(hostile.claims(Date.now()));
    },
  },
  {
    name: "alg=none, which it says it uses",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      discovering({ id_token_signing_alg_values_supported: ["none", "ES256"] })(hostile);
      hostile.idToken = async () => unsigned(hostile.claims(Date.now()));
    },
  },
  {
    name: "a token signed with the client secret (HS256)",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      discovering({ id_token_signing_alg_values_supported: ["HS256"] })(hostile);
      hostile.idToken = () =>
        new SignJWT({ ...hostile.claims(Date.now()) })
          .setProtectedHeader({ alg: "HS256" })
          .sign(Buffer.from(hostile.clientSecret));
    },
  },
  {
    name: "a token of another key with the same name",
    problem: "refused",
    reason: /SIGNATURE/,
    provider: (hostile) => {
      hostile.idToken = () => hostile.sign(hostile.claims(Date.now()), {}, otherKey);
    },
  },
  {
    name: "a token of a key that it does not publish",
    problem: "refused",
    reason: /NO_MATCHING_KEY/,
    provider: (hostile) => {
      hostile.idToken = () => hostile.sign(hostile.claims(Date.now()), {}, newKey("unknown"));
    },
  },
  {
    name: "a token whose claims were changed after signing",
    problem: "refused",
    reason: /SIGNATURE/,
    provider: (hostile) => {
      hostile.idToken = async () => {
        const [header, , signature] = (await hostile.sign(hostile.claims(Date.now()))).split(".");
        return [
          header,
          Buffer.from(JSON.stringify({ ...hostile.claims(Date.now()), sub: "bert" })).toString("base64url"),
          signature,
        ].join(".");
      };
    },
  },
  {
    name: "no JWT",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      hostile.idToken = async () => "nonsense";
    },
  },
  {
    name: "an encrypted token",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      hostile.idToken = async () => "a.b.c.d.e";
    },
  },
  { name: "a logout token in its place", problem: "refused", reason: /typ/, header: { typ: "logout+jwt" } },
  {
    name: "a token with an unknown critical header",
    problem: "refused",
    reason: /callback/,
    provider: (hostile) => {
      hostile.idToken = () =>
        new SignJWT({ ...hostile.claims(Date.now()) })
          .setProtectedHeader({ alg: "ES256", kid: "first", crit: ["exp"], exp: 1 })
          .sign(hostile.keys[0]?.privateKey ?? otherKey.privateKey, { crit: { exp: true } });
    },
  },
  {
    name: "another nonce",
    problem: "refused",
    reason: /callback/,
    claims: (claims) => ({ ...claims, nonce: "another" }),
  },
  { name: "no nonce", problem: "refused", reason: /callback/, claims: (claims) => without(claims, "nonce") },
  {
    name: "another issuer in the token",
    problem: "refused",
    reason: /iss/,
    claims: (claims) => ({ ...claims, iss: "https://other.example" }),
  },
  {
    name: "an issuer with another path",
    problem: "refused",
    reason: /iss/,
    claims: (claims, { issuer }) => ({ ...claims, iss: `${issuer}/` }),
  },
  {
    name: "another audience",
    problem: "refused",
    reason: /aud/,
    claims: (claims) => ({ ...claims, aud: "somebody" }),
  },
  {
    name: "an audience list without the client",
    problem: "refused",
    reason: /aud/,
    claims: (claims) => ({ ...claims, aud: ["one", "two"], azp: "bauta" }),
  },
  {
    name: "an audience list without azp",
    problem: "refused",
    reason: /callback/,
    claims: (claims) => ({ ...claims, aud: ["bauta", "somebody"] }),
  },
  {
    name: "an audience list with another azp",
    problem: "refused",
    reason: /azp|callback/,
    claims: (claims) => ({ ...claims, aud: ["bauta", "somebody"], azp: "somebody" }),
  },
  {
    name: "one audience with another azp",
    problem: "refused",
    reason: /azp/,
    claims: (claims) => ({ ...claims, azp: "somebody" }),
  },
  { name: "no audience", problem: "refused", reason: /callback/, claims: (claims) => without(claims, "aud") },
  {
    name: "an expired token",
    problem: "refused",
    reason: /exp|callback/,
    claims: (claims) => ({ ...claims, iat: nowS() - 600, exp: nowS() - 90 }),
  },
  {
    name: "a token from the future",
    problem: "refused",
    reason: /iat/,
    claims: (claims) => ({ ...claims, iat: nowS() + 120, exp: nowS() + 600 }),
  },
  {
    name: "a token that is not valid yet",
    problem: "refused",
    reason: /nbf|callback/,
    claims: (claims) => ({ ...claims, nbf: nowS() + 120 }),
  },
  {
    name: "no expiry",
    problem: "refused",
    reason: /exp|callback/,
    claims: (claims) => without(claims, "exp"),
  },
  {
    name: "no subject",
    problem: "refused",
    reason: /sub|callback/,
    claims: (claims) => without(claims, "sub"),
  },
  {
    name: "an endless subject",
    problem: "refused",
    reason: /sub/,
    claims: (claims) => ({ ...claims, sub: "a".repeat(300) }),
  },
  {
    name: "somebody else's user info",
    problem: "refused",
    reason: /callback/,
    claims: (claims) => without(claims, "email"),
    provider: answering("/userinfo", {
      body: { sub: "bert", email: "anna@home.example", email_verified: true },
    }),
  },
  {
    name: "an address that it has not verified",
    problem: "unverified",
    reason: /verified/,
    claims: (claims) => ({ ...claims, email_verified: false }),
  },
  {
    name: "a verified address in words",
    problem: "unverified",
    reason: /verified/,
    claims: (claims) => ({ ...claims, email_verified: "true" }),
  },
  {
    name: "a list of addresses",
    problem: "unverified",
    reason: /verified/,
    claims: (claims) => ({ ...claims, email: ["anna@home.example"] }),
  },
  // Keys
  {
    name: "no keys",
    problem: "refused",
    reason: /no keys|NO_MATCHING/,
    provider: answering("/jwks", { body: { nothing: true } }),
  },
  {
    name: "a huge answer for keys",
    problem: "refused",
    reason: /too much/,
    provider: answering("/jwks", huge),
  },
  {
    name: "a failure for keys",
    problem: "unavailable",
    reason: /answers 500/,
    provider: answering("/jwks", { status: 500 }),
  },
];

const discoveryCases: readonly Pick<Case, "name" | "problem" | "reason" | "provider">[] = [
  {
    name: "another issuer than was asked",
    problem: "refused",
    reason: /discovery/,
    provider: discovering({ issuer: "https://other.example" }),
  },
  {
    name: "a redirect",
    problem: "refused",
    reason: /redirects/,
    provider: answering("/.well-known/openid-configuration", {
      status: 302,
      headers: { location: "http://127.0.0.1:9/" },
    }),
  },
  {
    name: "a huge answer",
    problem: "refused",
    reason: /too much/,
    provider: answering("/.well-known/openid-configuration", huge),
  },
  {
    name: "no JSON",
    problem: "refused",
    reason: /discovery/,
    provider: answering("/.well-known/openid-configuration", { body: "<p>Hello" }),
  },
  {
    name: "nothing there",
    problem: "refused",
    reason: /discovery/,
    provider: answering("/.well-known/openid-configuration", { status: 404 }),
  },
  {
    name: "a failure",
    problem: "unavailable",
    reason: /answers 502/,
    provider: answering("/.well-known/openid-configuration", { status: 502 }),
  },
];

describe("A hostile or broken identity provider", () => {
  let hostile: HostileProvider;
  let server: TestServer;

  beforeEach(async () => {
    hostile = await startHostileProvider();
    server = await startServer({ oidc: oidcConfigOf(hostile) });
  });
  afterEach(async () => {
    await server.stop();
    await hostile.stop();
  });

  const begin = async (browser: Client): Promise<Query> => {
    const begun = await browser.call("GET", "/login/oidc");
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    hostile.nonce = searchParams.get("nonce") ?? "";
    return { code: "the code", state: searchParams.get("state") ?? "", iss: hostile.issuer };
  };
  const comeBack = async (browser: Client, query: Query): Promise<string> => {
    const back = await browser.call("GET", `/login/oidc/callback?${new URLSearchParams(query)}`);
    return back.headers.get("location") ?? `${back.status} ${back.text}`;
  };
  const log = (): string => server.logged.join("");
  const outcomes = async (outcome: string): Promise<string | undefined> => {
    const { text } = await server.client().call("GET", "/metrics");
    return new RegExp(`bauta_sign_on_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1];
  };
  const assertRefused = async (place: string, { problem, reason }: Pick<Case, "problem" | "reason">) => {
    expect(place).to.equal(`/login#sso-error=${problem}`);
    expect(JSON.parse(server.logged.find((line) => line.includes('"sign-on"')) ?? "{}"))
      .to.have.property("reason")
      .that.matches(reason);
    expect(await outcomes(problem)).to.equal("1");
    for (const secret of [
      hostile.nonce,
      hostile.clientSecret,
      "the code",
      "an access token",
      "anna@home.example",
    ])
      if (secret !== "") expect(log()).not.to.include(secret);
    for (const table of ["users", "identities", "sign_on_tickets", "sessions"] as const)
      expect(
        (await server.database.db.selectFrom(table).selectAll().execute()).filter(isOfTest),
      ).to.have.length(0);
  };

  it("is believed when it follows the protocol, with PKCE and the client's secret", async () => {
    const browser = server.client();
    const place = await comeBack(browser, await begin(browser));
    expect(place).to.match(/^\/login#sso=[\w-]{43}$/);
    expect(hostile.lastToken.get("code_verifier")).to.match(/^[\w-]{43}$/);
    expect(hostile.lastToken.get("redirect_uri")).to.equal("http://bauta.test/login/oidc/callback");
    expect(await outcomes("admitted")).to.equal("1");
  });

  for (const {
    name,
    claims,
    header,
    provider,
    query = (given: Query) => given,
    isBeforeToken,
    ...expected
  } of cases)
    it(`is refused with ${name}`, async () => {
      if (claims || header)
        hostile.idToken = () =>
          hostile.sign((claims ?? ((given: Claims) => given))(hostile.claims(Date.now()), hostile), header);
      provider?.(hostile);
      const browser = server.client();
      const given = await begin(browser);
      await assertRefused(await comeBack(browser, query(given, hostile)), expected);
      if (isBeforeToken) expect(hostile.asked.get("/token")).to.equal(undefined);
    });

  for (const { name, provider, ...expected } of discoveryCases)
    it(`is refused when its description is ${name}`, async () => {
      provider?.(hostile);
      const begun = await server.client().call("GET", "/login/oidc");
      await assertRefused(begun.headers.get("location") ?? "", expected);
    });

  it("is refused while it is away, without holding up others, and asked again later", async () => {
    const { issuer } = hostile;
    hostile.answers.set("/.well-known/openid-configuration", { isSilent: true });
    const waiting = server.client().call("GET", "/login/oidc");
    const code = await server.client().call("POST", "/login", { body: { email: "anna@home.example" } });
    expect(code.status).to.equal(200);
    expect((await waiting).headers.get("location")).to.equal("/login#sso-error=unavailable");
    hostile.answers.clear();
    server.clock.advance(5_000);
    const begun = await server.client().call("GET", "/login/oidc");
    expect(begun.headers.get("location")).to.include(`${issuer}/authorize?`);
  }).timeout(hungMs);

  it("goes on with what it said before when it is away for a while", async () => {
    await begin(server.client());
    hostile.answers.set("/.well-known/openid-configuration", { status: 503 });
    server.clock.advance(2 * hourMs);
    const begun = await server.client().call("GET", "/login/oidc");
    expect(begun.headers.get("location")).to.include("/authorize?");
  });

  it("may change its keys", async () => {
    hostile.idToken = () => hostile.sign(hostile.claims(server.clock.now()));
    const first = server.client();
    expect(await comeBack(first, await begin(first))).to.include("#sso=");
    hostile.keys = [newKey("second"), ...hostile.keys];
    server.clock.advance(11_000);
    const second = server.client();
    expect(await comeBack(second, await begin(second))).to.include("#sso=");
    expect(hostile.asked.get("/jwks")).to.equal(2);
  });

  it("is not asked for its keys each time somebody sends an unknown one", async () => {
    const first = server.client();
    await comeBack(first, await begin(first));
    hostile.idToken = () => hostile.sign(hostile.claims(Date.now()), {}, newKey("unknown"));
    for (let time = 0; time < 5; time += 1) {
      const browser = server.client();
      expect(await comeBack(browser, await begin(browser))).to.include("refused");
    }
    expect(hostile.asked.get("/jwks")).to.equal(1);
  });

  it("may have a clock that differs by a minute, and no more", async () => {
    for (const [offsetS, place] of [
      [55, "#sso="],
      [-350, "#sso="],
      [70, "#sso-error=refused"],
      [-370, "#sso-error=refused"],
    ] as const) {
      hostile.idToken = () => hostile.sign(hostile.claims(Date.now() + offsetS * 1_000));
      const browser = server.client();
      expect(await comeBack(browser, await begin(browser)), String(offsetS)).to.include(place);
    }
  });

  it("keeps a state for ten minutes, and none that it has not made", async () => {
    const late = server.client();
    const query = await begin(late);
    server.clock.advance(10 * 60_000);
    expect(await comeBack(late, query)).to.equal("/login#sso-error=expired");
    const forged = server.client();
    forged.cookies.set("maskSsoState", Buffer.from(JSON.stringify(query)).toString("base64url"));
    expect(await comeBack(forged, query)).to.equal("/login#sso-error=expired");
  });

  it("leads the browser nowhere else, whatever the address says", async () => {
    const browser = server.client();
    const query = await begin(browser);
    const more = { ...query, redirect_uri: "https://evil.example", return_to: "//evil.example", next: "/x" };
    expect(await comeBack(browser, more)).to.match(/^\/login#sso=/);
    const begun = await browser.call(
      "GET",
      "/login/oidc?redirect_uri=https://evil.example&next=//evil.example",
    );
    const address = new URL(begun.headers.get("location") ?? "");
    expect(address.origin).to.equal(hostile.issuer);
    expect(address.searchParams.get("redirect_uri")).to.equal("http://bauta.test/login/oidc/callback");
    expect(address.href).not.to.include("evil");
  });

  it("replaces the second factor of an account only if it says that it asked for one", async () => {
    const signIn = async (more: Claims): Promise<Answer> => {
      hostile.idToken = () => hostile.sign({ ...hostile.claims(server.clock.now()), ...more });
      const browser = server.client();
      return openTicket(browser, await comeBack(browser, await begin(browser)));
    };
    const { json } = await signIn({});
    const { tempToken } = json as { tempToken: string };
    await server.client().call("POST", "/signup", { body: { tempToken, tier: "free" } });
    const user = await server.database.db
      .updateTable("users")
      .where("id", "!=", bystander.id)
      .set({ two_factor: 1 })
      .returningAll()
      .executeTakeFirst();
    await server.database.db
      .insertInto("identities")
      .values({
        id: "i",
        issuer: hostile.issuer,
        subject: "anna",
        user_id: user?.id ?? "",
        email: "",
        created_at: 0,
        last_used_at: 0,
      })
      .execute();
    for (const more of [{}, { amr: ["pwd"] }, { amr: "mfa" }, { acr: "1" }])
      expect((await signIn(more)).json, JSON.stringify(more)).to.include({ requires2FA: true });
    for (const more of [{ amr: ["pwd", "otp", "mfa"] }, { acr: "phr" }])
      expect((await signIn(more)).json, JSON.stringify(more)).to.have.property("token");
  });
});
