import { resolve } from "node:path";
import { expect } from "chai";
import { readConfig } from "../../../server/config/config.ts";
import { BadSetting } from "../../../server/config/setting.ts";

const refusal = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
  return "accepted";
};

describe("configuration by environment", () => {
  it("needs nothing: every setting has the default that the README names", () => {
    expect(readConfig({})).to.deep.equal({
      brand: "Bauta",
      port: 3000,
      smtpPort: 2525,
      host: "127.0.0.1",
      dataDir: resolve("data"),
      maskDomain: "masks.localhost",
      publicUrl: "http://127.0.0.1:3000",
      corsOrigins: [],
      nextHop: null,
      databaseUrl: null,
      dnsServer: null,
      logLevel: "info",
      devReloadOrigin: null,
    });
  });

  it("takes an empty variable for an absent one", () => {
    expect(readConfig({ PORT: " " }).port).to.equal(3000);
  });

  it("reads a next hop with its user, its password and the port its scheme stands for", () => {
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

  it("derives the public address from host and port, IPv6 included", () => {
    expect(readConfig({ HOST: "::1", PORT: "8080" }).publicUrl).to.equal("http://[::1]:8080");
  });

  it("reads the origins whose pages may call, each exactly", () => {
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
    ["PUBLIC_URL", "https://example.org/app"],
    ["PUBLIC_URL", "ftp://example.org"],
    ["CORS_ORIGINS", "*"],
    ["CORS_ORIGINS", "https://*.example.org"],
    ["CORS_ORIGINS", "https://app.example.org,"],
    ["CORS_ORIGINS", "https://app.example.org/page"],
    ["CORS_ORIGINS", "null"],
    ["DNS_SERVER", "resolver"],
    ["LOG_LEVEL", "loud"],
  ];
  for (const [variable, value] of bad) {
    it(`stops at ${variable}=${value} with one line that names it, what it got and what it wants`, () => {
      const message = refusal({ [variable]: value });
      expect(message.startsWith(`${variable} is ${JSON.stringify(value)}; it wants `), message).to.equal(
        true,
      );
      expect(message).to.match(/\w\.$/);
      expect(message).not.to.contain("\n");
    });
  }

  for (const variable of ["NEXT_HOP", "DATABASE_URL"]) {
    it(`does not repeat a ${variable} it cannot use, since it may hold a password`, () => {
      expect(refusal({ [variable]: "mysql://root:hunter2@db/x" }))
        .to.match(new RegExp(`^${variable} is .+; it wants .+\\.$`))
        .and.not.to.contain("hunter2");
    });
  }
});
