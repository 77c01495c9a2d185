import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { readConfig } from "../../../../server/platform/config/config.ts";
import { SettingError } from "../../../../server/platform/config/settings.ts";

const variablesRead = (): readonly string[] => {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(environment);
  return [...names];
};

const refusal = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "accepted";
};

describe("The configuration from the environment", () => {
  it("takes four numbers of replies a day", () => {
    const { repliesPerDay } = readConfig({ REPLIES_PER_DAY: "0,20,30,40" });
    expect(repliesPerDay).to.include({ free: 0, basic: 20, pro: 30, pro_premium: 40, self_hosted: 40 });
    for (const wrong of ["50", "1,2,3", "1,2,3,-4", "1,2,3,4,5", "a,b,c,d"])
      expect(refusal({ REPLIES_PER_DAY: wrong }), wrong).to.match(/four whole numbers/);
  });

  it("takes an identity provider as a whole, and says what is missing of a half one", () => {
    const provider = {
      OIDC_ISSUER: "https://id.example.org/realms/home",
      OIDC_CLIENT_ID: "bauta",
      OIDC_CLIENT_SECRET: "secret",
    };
    expect(readConfig(provider).oidc).to.deep.equal({
      issuer: "https://id.example.org/realms/home",
      clientId: "bauta",
      clientSecret: "secret",
      name: "id.example.org",
      allowed: [],
      only: false,
    });
    const { oidc } = readConfig({
      ...provider,
      OIDC_NAME: "Home",
      OIDC_ALLOW: "Me+x@example.org, @example.com,groups=a b,realm_access.roles=x=y",
      OIDC_ONLY: "on",
    });
    expect(oidc).to.include({ name: "Home", only: true });
    expect(oidc?.allowed).to.deep.equal([
      { kind: "mailbox", value: mailboxKey("Me+x@example.org") },
      { kind: "domain", value: "example.com" },
      { kind: "claim", claim: "groups", value: "a b" },
      { kind: "claim", claim: "realm_access.roles", value: "x=y" },
    ]);
    expect(refusal({ OIDC_ISSUER: provider.OIDC_ISSUER })).to.equal(
      "OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not set; expected all of OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET for single sign-on, because OIDC_ISSUER is set.",
    );
    for (const lone of ["OIDC_NAME", "OIDC_ALLOW", "OIDC_ONLY"])
      expect(refusal({ [lone]: lone === "OIDC_ONLY" ? "on" : "example.org" })).to.include(
        `because ${lone} is set`,
      );
    for (const issuer of [
      "http://id.example.org",
      "ftp://id.example.org",
      "id.example.org",
      "https://user@id.example.org",
      "https://id.example.org/?realm=1",
      "https://id.example.org/.well-known/openid-configuration",
    ])
      expect(refusal({ ...provider, OIDC_ISSUER: issuer }), issuer).to.include("expected the issuer");
    expect(readConfig({ ...provider, OIDC_ISSUER: "http://127.0.0.1:9000" }).oidc).not.to.equal(null);
    for (const wrong of ["nobody at all", "=x", "groups=", "a@b@c"])
      expect(refusal({ ...provider, OIDC_ALLOW: wrong }), wrong).to.include("OIDC_ALLOW");
    expect(refusal({ ...provider, OIDC_CLIENT_SECRET: "töp" })).not.to.include("töp");
  });

  it("takes a secret for mail by HTTP, and the key of the service that signs", () => {
    const secret = { INBOUND_SECRET: "0123456789abcdef" };
    expect(readConfig(secret).inbound).to.deep.equal({ secret: "0123456789abcdef", signingKey: null });
    const key = "mailgun:0123456789abcdef";
    expect(readConfig({ ...secret, INBOUND_SIGNING_KEY: key }).inbound?.signingKey).to.deep.equal({
      service: "mailgun",
      key: "0123456789abcdef",
    });
    expect(refusal({ INBOUND_SIGNING_KEY: key })).to.include("INBOUND_SECRET is not set");
    for (const wrong of ["short", "with/slash-0123456789", "with space 0123456789"])
      expect(refusal({ INBOUND_SECRET: wrong }), wrong)
        .to.include("INBOUND_SECRET")
        .and.not.include(wrong);
    for (const wrong of [
      "0123456789abcdef",
      "mailgun:short",
      "sendgrid:0123456789abcdef",
      "other:0123456789abcdef",
    ])
      expect(refusal({ ...secret, INBOUND_SIGNING_KEY: wrong }), wrong).to.include("INBOUND_SIGNING_KEY");
  });

  it("requires no variable: every setting has the default that its table names", () => {
    expect(readConfig({})).to.deep.equal({
      brand: "Bauta",
      port: 3000,
      smtpPort: 2525,
      host: "127.0.0.1",
      smtpHost: "127.0.0.1",
      smtpBalancers: [],
      mailbox: null,
      submissionPort: null,
      submissionsPort: null,
      postmaster: null,
      tls: null,
      trustedProxies: ["loopback"],
      trustedNetworks: ["loopback"],
      trustedSealers: [],
      resultsHost: null,
      inbound: null,
      webhookNetworks: [],
      sendsTlsReports: false,
      dkim: "on",
      repliesPerDay: { free: 50, basic: 200, pro: 500, pro_premium: 1000, business: 1000, self_hosted: 1000 },
      senderLimits: { perMinute: 60, perHour: 600, dailyShare: 25 },
      keptMail: null,
      dataDir: resolve("data"),
      maskDomain: "masks.localhost",
      subdomains: 1,
      publicUrl: "http://127.0.0.1:3000",
      corsOrigins: [],
      metrics: { listen: null, token: null },
      nextHop: null,
      direct: { port: 25, sources: [], networks: [], mailsPerMinute: 1_200, trustsResolver: null },
      databaseUrl: null,
      bodyStore: null,
      databaseDirectUrl: null,
      databaseReadUrl: null,
      databaseNotifies: true,
      dnsServer: null,
      rspamdUrl: null,
      breachRanges: null,
      aiModel: null,
      logLevel: "info",
      sentryDsn: null,
      telemetryEndpoint: null,
      telemetryPercent: 100,
      devReloadOrigin: null,
      defaultTier: "self_hosted",
      billing: null,
      acme: null,
      signUp: { mode: "open", allowed: [] },
      oidc: null,
      operators: [],
    });
  });

  it("has the app at an origin, or at a path of a host that it shares, without a slash at the end", () => {
    for (const [set, expected] of [
      ["https://Mail.Example.org/", "https://mail.example.org"],
      ["https://example.org:443/bauta/", "https://example.org/bauta"],
      ["http://localhost:3000/apps/my-mail_1.0~x", "http://localhost:3000/apps/my-mail_1.0~x"],
    ])
      expect(readConfig({ PUBLIC_URL: set }).publicUrl).to.equal(expected);
  });

  it("requires an invitation to sign up on a public server, except for addresses that the operator names (D52)", () => {
    const published = { PUBLIC_URL: "https://app.example.org" };
    expect(readConfig(published).signUp).to.deep.equal({ mode: "invite", allowed: [] });
    expect(
      readConfig({
        ...published,
        SIGN_UP: "closed",
        SIGN_UP_ALLOW: "Me@Example.org, @Family.example",
        OPERATORS: "ops@example.org",
      }).signUp,
    ).to.deep.equal({ mode: "closed", allowed: ["me@example.org", "family.example", "ops@example.org"] });
    expect(readConfig({ PUBLIC_URL: "http://localhost:3000" }).signUp.mode).to.equal("open");
    expect(refusal({ SIGN_UP: "maybe" })).to.equal(
      'SIGN_UP is "maybe"; expected one of open, invite, closed.',
    );
  });

  const payment = {
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    STRIPE_PRICE_BASIC: "price_b",
    STRIPE_PRICE_PRO: "price_p, price_old",
    STRIPE_PRICE_PREMIUM: "price_x",
  };

  it("reads the payment settings, with the current price before older prices that stay valid", () => {
    expect(readConfig(payment).defaultTier).to.equal(null);
    expect(readConfig({ ...payment, STRIPE_API_BASE: "http://127.0.0.1:1" }).billing).to.deep.equal({
      secretKey: "sk_test_1",
      publishableKey: "pk_test_1",
      webhookSecret: "whsec_1",
      prices: { basic: ["price_b"], pro: ["price_p", "price_old"], pro_premium: ["price_x"] },
      apiBase: "http://127.0.0.1:1",
    });
  });

  it("fails when the payment settings are incomplete, and names the missing ones", () => {
    const all =
      "expected all of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_BASIC, STRIPE_PRICE_PRO, STRIPE_PRICE_PREMIUM for payments";
    expect(refusal({ ...payment, STRIPE_WEBHOOK_SECRET: "" })).to.equal(
      `STRIPE_WEBHOOK_SECRET is not set; ${all}, because STRIPE_SECRET_KEY is set.`,
    );
    expect(refusal({ ...payment, STRIPE_SECRET_KEY: "", STRIPE_PRICE_PRO: "" })).to.equal(
      `STRIPE_SECRET_KEY and STRIPE_PRICE_PRO are not set; ${all}, because STRIPE_PUBLISHABLE_KEY is set.`,
    );
    expect(refusal({ STRIPE_API_BASE: "http://127.0.0.1:1" })).to.match(
      /^STRIPE_SECRET_KEY, .* are not set; /,
    );
  });

  it("repeats no invalid key in an error", () => {
    for (const name of Object.keys(payment)) {
      const message = refusal({ ...payment, [name]: "a-secret-of-mine" });
      expect(message).to.match(new RegExp(`^${name} is set to an invalid value; expected .+\\.$`));
      expect(message).not.to.include("a-secret-of-mine");
    }
  });

  it("reads where monitors may ask", () => {
    const METRICS_TOKEN = "sixteen-or-more-x";
    expect(readConfig({ METRICS_LISTEN: "10.0.0.5:9464", METRICS_TOKEN }).metrics).to.deep.equal({
      listen: { host: "10.0.0.5", port: 9464 },
      token: METRICS_TOKEN,
    });
    expect(readConfig({ METRICS_LISTEN: "[::1]:9464" }).metrics.listen).to.deep.equal({
      host: "::1",
      port: 9464,
    });
    for (const METRICS_LISTEN of ["9464", "localhost:9464", "::1:9464", "10.0.0.5:0", "10.0.0.500:1"])
      expect(refusal({ METRICS_LISTEN })).to.match(/^METRICS_LISTEN is .* expected an IP address and a port/);
    expect(refusal({ METRICS_TOKEN: "short" })).to.match(/^METRICS_TOKEN is set to an invalid value;/);
  });

  it("accepts the known tiers and no other", () => {
    expect(readConfig({ DEFAULT_TIER: "pro_premium" }).defaultTier).to.equal("pro_premium");
    expect(refusal({ DEFAULT_TIER: "gold" })).to.equal(
      'DEFAULT_TIER is "gold"; expected one of free, basic, pro, pro_premium, business, self_hosted.',
    );
  });

  it("treats an empty variable like an absent one", () => {
    expect(readConfig({ PORT: " " }).port).to.equal(3000);
  });

  it("reads a next hop with its user, its password and the default port of its scheme", () => {
    expect(
      readConfig({ NEXT_HOP: "smtps://me%40example.org:p%3Ass@mail.example.org" }).nextHop,
    ).to.deep.equal({
      host: "mail.example.org",
      port: 465,
      secure: true,
      user: "me@example.org",
      password: "p:ss",
    });
    expect(readConfig({ NEXT_HOP: "smtp://[::1]:1025" }).nextHop).to.deep.include({
      host: "::1",
      port: 1025,
    });
  });

  it("derives the public URL from host and port, IPv6 included", () => {
    expect(readConfig({ HOST: "::1", PORT: "8080" }).publicUrl).to.equal("http://[::1]:8080");
  });

  it("derives a loopback public URL when the server listens on all addresses", () => {
    for (const HOST of ["0.0.0.0", "::"])
      expect(readConfig({ HOST }).publicUrl, HOST).to.equal("http://127.0.0.1:3000");
  });

  it("uses the host of the app for SMTP unless SMTP_HOST is set", () => {
    expect(readConfig({ HOST: "192.0.2.1" }).smtpHost).to.equal("192.0.2.1");
    const { host, smtpHost } = readConfig({ SMTP_HOST: "0.0.0.0" });
    expect({ host, smtpHost }).to.deep.equal({ host: "127.0.0.1", smtpHost: "0.0.0.0" });
  });

  it("reads the trusted proxies as names, addresses and networks", () => {
    const TRUSTED_PROXIES = "loopback, 192.0.2.7,10.1.0.0/16,fd00::/8";
    expect(readConfig({ TRUSTED_PROXIES }).trustedProxies).to.deep.equal([
      "loopback",
      "192.0.2.7",
      "10.1.0.0/16",
      "fd00::/8",
    ]);
  });

  it("accepts a resolver with and without a port", () => {
    for (const DNS_SERVER of ["192.0.2.53", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]:53"])
      expect(readConfig({ DNS_SERVER }).dnsServer).to.equal(DNS_SERVER);
  });

  it("requires a certificate and its key, or neither", () => {
    expect(readConfig({ TLS_CERT: "/a.pem", TLS_KEY: "/b.pem" }).tls).to.deep.equal({
      cert: "/a.pem",
      key: "/b.pem",
    });
    expect(refusal({ TLS_CERT: "/a.pem" })).to.match(/^TLS_KEY is not set; expected .+ TLS_CERT is set\.$/);
    expect(refusal({ TLS_KEY: "/b.pem" })).to.match(/^TLS_CERT is not set; expected .+ TLS_KEY is set\.$/);
  });

  it("reads the allowed origins exactly (CORS)", () => {
    const named = "https://app.example.org, http://localhost:8080,https://[2001:db8::1]";
    expect(readConfig({ CORS_ORIGINS: named }).corsOrigins).to.deep.equal([
      "https://app.example.org",
      "http://localhost:8080",
      "https://[2001:db8::1]",
    ]);
  });

  const bad: readonly (readonly [string, string])[] = [
    ["PORT", "80a"],
    ["PORT", "65536"],
    ["SMTP_PORT", "-1"],
    ["HOST", "no host"],
    ["MASK_DOMAIN", "masks_example"],
    ["PUBLIC_URL", "https://example.org/app?query"],
    ["PUBLIC_URL", "https://example.org/app#fragment"],
    ["PUBLIC_URL", "https://example.org/../app"],
    ["PUBLIC_URL", "https://example.org/app/%2e%2e/other"],
    ["PUBLIC_URL", "https://example.org//app"],
    ["PUBLIC_URL", "https://example.org/an app"],
    ["PUBLIC_URL", "https://user@example.org/app"],
    ["PUBLIC_URL", "example.org/app"],
    ["PUBLIC_URL", "ftp://example.org"],
    ["CORS_ORIGINS", "*"],
    ["CORS_ORIGINS", "https://*.example.org"],
    ["CORS_ORIGINS", "https://app.example.org,"],
    ["CORS_ORIGINS", "https://app.example.org/page"],
    ["CORS_ORIGINS", "null"],
    ["DNS_SERVER", "resolver"],
    ["DNS_SERVER", "1.1.1.1:99999"],
    ["DNS_SERVER", "1.1.1.1:0"],
    ["DNS_SERVER", "[1.1.1.1]:53"],
    ["SMTP_HOST", "no host"],
    ["POSTMASTER", "root"],
    ["POSTMASTER", "me@masks.localhost"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRUSTED_PROXIES", "proxy.example.org"],
    ["LOG_LEVEL", "loud"],
    ["MX_PORT", "0"],
    ["MX_SOURCE", "mail.example.org"],
    ["MX_SOURCE", "192.0.2.1,192.0.2.2"],
    ["MX_NETWORKS", "everything"],
    ["MX_MAILS_PER_MINUTE", "0"],
    ["DNSSEC", "maybe"],
    ["SENTRY_DSN", "https://sentry.example.org/1"],
    ["TELEMETRY_ENDPOINT", "https://otel.example.org/v1/traces"],
    ["TELEMETRY_ENDPOINT", "otel.example.org"],
  ];
  for (const [variable, value] of bad) {
    it(`refuses ${variable}=${value} with one line that names the variable, the value and what is expected`, () => {
      const message = refusal({ [variable]: value });
      expect(message.startsWith(`${variable} is ${JSON.stringify(value)}; expected `), message).to.equal(
        true,
      );
      expect(message).to.match(/\w\.$/);
      expect(message).not.to.contain("\n");
    });
  }

  describe("BODY_STORE", () => {
    const keys = { BODY_STORE_ACCESS_KEY: "key", BODY_STORE_SECRET_KEY: "hunter2" };
    const DATABASE_URL = "postgresql://me@db.example.org/bauta";
    const placeOf = (BODY_STORE: string) => readConfig({ ...keys, DATABASE_URL, BODY_STORE }).bodyStore;

    it("is a bucket with a prefix at an endpoint", () => {
      expect(placeOf("s3://mail/a/b/?endpoint=https://s3.example.org:9000&region=garage")).to.deep.equal({
        bucket: "mail",
        prefix: "a/b/",
        endpoint: "https://s3.example.org:9000",
        region: "garage",
        accessKey: "key",
        secretKey: "hunter2",
      });
    });

    it("is at Amazon without an endpoint, and the whole bucket without a prefix", () => {
      expect(placeOf("s3://mail?region=eu-west-1")).to.deep.include({
        prefix: "",
        endpoint: "https://s3.eu-west-1.amazonaws.com",
      });
      expect(readConfig({ DATABASE_URL }).bodyStore).to.equal(null);
    });

    for (const value of [
      "mail",
      "s3://",
      "s3://Mail",
      "s3://mail/../other",
      "s3://mail//a",
      "s3://mail/a b",
      "s3://mail?endpoint=ftp://s3.example.org",
      "s3://mail?endpoint=https://s3.example.org/path",
      "s3://key:secret@mail",
      "s3://mail?regoin=x",
    ])
      it(`is refused as ${value}`, () => {
        expect(refusal({ ...keys, DATABASE_URL, BODY_STORE: value })).to.match(
          /^BODY_STORE(?:_ACCESS_KEY)? (?:is|and) .+; expected .+\.$/,
        );
      });

    it("needs PostgreSQL and both keys, and its secret is not repeated", () => {
      const BODY_STORE = "s3://mail";
      expect(refusal({ ...keys, BODY_STORE })).to.match(
        /^BODY_STORE is set, but DATABASE_URL is not; expected PostgreSQL/,
      );
      expect(refusal({ DATABASE_URL, BODY_STORE })).to.match(
        /^BODY_STORE_ACCESS_KEY and BODY_STORE_SECRET_KEY are not set/,
      );
      expect(refusal({ ...keys, BODY_STORE_SECRET_KEY: "a b", DATABASE_URL, BODY_STORE })).to.not.contain(
        "a b",
      );
    });
  });

  it("sends to the mail servers of the recipients with NEXT_HOP=mx", () => {
    const read = readConfig({
      NEXT_HOP: "mx",
      MX_SOURCE: "192.0.2.1, 2001:db8::1",
      MX_NETWORKS: "10.1.0.0/16",
      DNSSEC: "on",
    });
    expect(read.nextHop).to.equal("mx");
    expect(read.direct).to.deep.equal({
      port: 25,
      sources: ["192.0.2.1", "2001:db8::1"],
      networks: ["10.1.0.0/16"],
      mailsPerMinute: 1_200,
      trustsResolver: true,
    });
  });

  it("fetches mail from the mailbox of IMAP_URL, and never repeats its password", () => {
    const IMAP_URL = "imaps://me%40example.org@imap.example.org/Catch%20all";
    const { mailbox } = readConfig({
      IMAP_URL,
      IMAP_PASSWORD: "s3cret",
      IMAP_RECIPIENT_HEADER: "X-Delivered-To",
    });
    expect(mailbox).to.deep.equal({
      ...{ host: "imap.example.org", port: 993, secure: true, user: "me@example.org", folder: "Catch all" },
      ...{ password: "s3cret", tokenCommand: null, recipientField: "x-delivered-to", keepIn: null },
    });
    expect(readConfig({ IMAP_URL: "imap://me:a%2Fb@[::1]:1143" }).mailbox).to.include({
      ...{ host: "::1", port: 1_143, secure: false, user: "me", password: "a/b", folder: "INBOX" },
    });
    expect(refusal({ IMAP_URL })).to.match(/^IMAP_PASSWORD is not set; expected .*IMAP_TOKEN_COMMAND\.$/);
    expect(readConfig({ IMAP_URL, IMAP_TOKEN_COMMAND: "token" }).mailbox?.tokenCommand).to.equal("token");
    expect(refusal({ IMAP_PASSWORD: "s3cret" })).to.match(
      /^IMAP_URL is not set; .* because IMAP_PASSWORD is set/,
    );
    for (const wrong of [
      "imaps://imap.example.org/INBOX",
      "pop3://me@imap.example.org",
      "imaps://me:s3cret@imap.example.org:0",
      "imaps://me:s3cret@imap.example.org/a%0Ab",
      "imaps://me:s3cret@imap.example.org/?x=1",
      "imaps://me:%@imap.example.org",
      "s3cret",
    ])
      expect(refusal({ IMAP_URL: wrong }), wrong)
        .to.match(/^IMAP_URL is .*expected imaps:/)
        .and.not.contain("s3cret");
  });

  it("refuses a next hop on port 0", () => {
    expect(refusal({ NEXT_HOP: "smtp://mail.example.org:0" })).to.match(/^NEXT_HOP is .+; expected .+\.$/);
  });

  it("reads exactly the variables that docs/settings.md describes, and the one that it refuses", async () => {
    const page = await readFile(join(import.meta.dirname, "../../../../docs/settings.md"), "utf8");
    const named = Array.from(page.matchAll(/^- \*\*`([A-Z_]+)`\*\*/gm), ([, name = ""]) => name);
    expect([...named, "REDIS_URL"].sort()).to.deep.equal([...variablesRead()].sort());
  });

  it("knows every variable of the service unit and the image, which start files that exist", async () => {
    const root = join(import.meta.dirname, "../../../..");
    const unit = await readFile(join(root, "deploy/bauta.service"), "utf8");
    const image = await readFile(join(root, "deploy/Containerfile"), "utf8");
    const ofUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
    const ofImage = [...image.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
    const names = [...ofUnit, ...ofImage].map((pair) => pair.split("=")[0] ?? "");
    const notOurs = ["BAUTA_SETTINGS", "NODE_ENV", "MALLOC_TRIM_THRESHOLD_"];
    const ours = names.filter((name) => !notOurs.includes(name));
    expect(variablesRead()).to.include.members(ours);
    const words = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
    const [node = "", main = ""] = words.filter((word) => !word.startsWith("--"));
    await access(join(root, node.replace("/opt/bauta/", "")));
    await access(join(root, main));
    expect(unit).to.contain("RestartPreventExitStatus=78\n");
  });

  it("refuses an address beside a database that is not named", () => {
    const url = "postgresql://bauta@db/bauta";
    for (const variable of ["DATABASE_DIRECT_URL", "DATABASE_READ_URL"])
      expect(refusal({ [variable]: url })).to.equal(
        `DATABASE_URL is not set; expected the database to use, because ${variable} is set.`,
      );
  });

  for (const variable of ["NEXT_HOP", "DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL"]) {
    it(`does not repeat an invalid ${variable}, since it may contain a password`, () => {
      expect(refusal({ [variable]: "mysql://root:hunter2@db/x" }))
        .to.match(new RegExp(`^${variable} is .+; expected .+\\.$`))
        .and.not.to.contain("hunter2");
    });
  }
});
