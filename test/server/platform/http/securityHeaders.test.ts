import { createHash } from "node:crypto";
import { expect } from "chai";
import { stripeSettings } from "../../../support/stripeStandIn.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const policyOf = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );

/** The script that stands in the page of the tests. */
const inlineScript = `'sha256-${createHash("sha256").update('if (1 < 2) document.title = "Bauta";').digest("base64")}'`;

const options = { headers: { accept: "text/html" } };

describe("The security headers of a server with paid plans", () => {
  it("allow Stripe's hosts and no other (docs.stripe.com/security/guide)", async () => {
    const server = await startServer({
      publicUrl: "https://mail.example.org",
      billing: { ...stripeSettings, apiBase: "http://127.0.0.1:1" },
    });
    const { headers } = await server.client().call("GET", "/", options);
    await server.stop();
    const policy = policyOf(headers);
    expect(policy.get("script-src")).to.equal(
      `'self' ${inlineScript} https://js.stripe.com https://*.js.stripe.com`,
    );
    expect(policy.get("frame-src")).to.equal(
      "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://checkout.stripe.com",
    );
    expect(policy.get("connect-src")).to.equal(
      "'self' wss://mail.example.org https://api.stripe.com https://checkout.stripe.com",
    );
    expect(policy.get("img-src")).to.equal("'self' data: https://*.stripe.com");
    expect(policy.get("trusted-types")).to.equal("serviceWorker keyWorker readMail default");
    expect(policy.get("require-trusted-types-for")).to.equal("'script'");
    expect(policy.get("default-src")).to.equal("'none'");
    expect(headers.get("content-security-policy"), "the stand-in is the server's alone").not.to.include(
      "127.0.0.1:1",
    );
    expect(headers.get("permissions-policy")).to.include('payment=(self "https://js.stripe.com"');
  });
});

describe("The security headers", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ publicUrl: "https://mail.example.org" });
  });
  after(() => server.stop());

  it("allow only resources of this server in the page, and the script that stands in it", async () => {
    const { headers } = await server.client().call("GET", "/", options);
    const policy = policyOf(headers);
    expect(policy.get("default-src")).to.equal("'none'");
    expect(policy.get("script-src")).to.equal(`'self' ${inlineScript}`);
    expect(policy.get("style-src")).to.match(/^'self' 'nonce-[\w+/=]{20,}'$/);
    expect(policy.get("connect-src")).to.equal("'self' wss://mail.example.org");
    expect(policy.get("img-src")).to.equal("'self' data:");
    expect(policy.get("frame-ancestors")).to.equal("'none'");
    expect(policy.get("base-uri")).to.equal("'none'");
    expect(policy.get("form-action")).to.equal("'self'");
    expect(policy.get("require-trusted-types-for")).to.equal("'script'");
    expect(policy.get("trusted-types")).to.equal("serviceWorker keyWorker readMail");
    expect(headers.get("content-security-policy")).not.to.match(/unsafe/);
  });

  it("are on every answer, refusals included", async () => {
    for (const path of [
      "/",
      "/account",
      "/nothing",
      "/config.json",
      "/assets/main-ABCDEF12.js",
      "/icon.svg",
      "/%zz",
    ]) {
      const { headers } = await server.client().call("GET", path);
      expect(headers.get("content-security-policy"), path).to.contain("default-src 'none'");
      expect(Object.fromEntries(headers), path).to.include({
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "origin-agent-cluster": "?1",
        "referrer-policy": "no-referrer",
        "strict-transport-security": "max-age=31536000",
        "x-content-type-options": "nosniff",
        "x-dns-prefetch-control": "off",
        "x-download-options": "noopen",
        "x-frame-options": "DENY",
        "x-permitted-cross-domain-policies": "none",
        "x-xss-protection": "0",
      });
      expect(headers.get("permissions-policy"), path).to.contain("camera=()");
    }
  });

  it("require HTTPS (HSTS) only when the public URL is HTTPS", async () => {
    const plain = await startServer({ publicUrl: "http://127.0.0.1:3000" });
    const [secure, open] = [await server.client().call("GET", "/"), await plain.client().call("GET", "/")];
    expect(secure.headers.get("strict-transport-security")).to.equal("max-age=31536000");
    expect(open.headers.get("strict-transport-security")).to.equal(null);
    await plain.stop();
  });

  it("allow the page to connect to the reload server in development", async () => {
    const developed = await startServer({ devReloadOrigin: "http://127.0.0.1:3001" });
    const { headers } = await developed.client().call("GET", "/");
    expect(policyOf(headers).get("connect-src")).to.contain("http://127.0.0.1:3001");
    await developed.stop();
  });

  it("allow the page to send error reports only to the host that the operator set", async () => {
    const reporting = await startServer({
      sentryDsn: "https://key@sentry.example.org/1",
      telemetryEndpoint: "https://otel.example.org/in",
    });
    const { headers } = await reporting.client().call("GET", "/");
    const configuration = (await reporting.client().call("GET", "/config.json")).json;
    expect(policyOf(headers).get("connect-src")?.split(" ").slice(-2)).to.deep.equal([
      "https://sentry.example.org",
      "https://otel.example.org",
    ]);
    expect(configuration).to.include({
      sentryDsn: "https://key@sentry.example.org/1",
      telemetryEndpoint: "https://otel.example.org/in",
    });
    await reporting.stop();
  });

  it("forbid caching of answers about a user", async () => {
    const user = await server.signIn("cache@example.org").catch(() => undefined);
    expect(user).not.to.equal(undefined);
    const { headers } = (await user?.call("GET", "/account")) ?? { headers: new Headers() };
    expect(headers.get("cache-control")).to.equal("no-store");
    expect(headers.get("vary")).to.contain("accept");
  });
});
