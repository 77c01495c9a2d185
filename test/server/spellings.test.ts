import { domainToASCII } from "node:url";
import { expect } from "chai";
import fc from "fast-check";
import * as t from "io-ts";
import { DerivedType } from "../../core/api/derivedType.ts";
import { minuteMs } from "../../core/kernel/durations.ts";
import { isDomainName } from "../../core/mail/domainName.ts";
import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import { isGenerated } from "../../server/features/masks/maskAddress.ts";
import { spellingOf } from "../support/spellings.ts";
import { isOfTest } from "./support/bystander.ts";
import type { Client } from "./support/client.ts";
import { startServer, type TestServer } from "./support/startServer.ts";
import { setTier } from "./support/tier.ts";

interface Declared {
  readonly value: {
    readonly method: string;
    readonly path: string;
    readonly authentication: string;
    readonly params: unknown;
    readonly body: unknown;
  };
}

const { readAllEndpoints } = (await import(
  new URL("../../scripts/api/declarations.mjs", import.meta.url).href
)) as { readonly readAllEndpoints: () => Promise<readonly Declared[]> };
const endpoints = await readAllEndpoints();

/** Returns the fields of a codec that are texts, by path, with the names of their codecs. */
const textsOf = (codec: unknown, path: string): readonly (readonly [path: string, name: string])[] => {
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType)
    return Object.entries(codec.props as Record<string, unknown>).flatMap(([name, one]) =>
      textsOf(one, path === "" ? name : `${path}.${name}`),
    );
  if (codec instanceof t.IntersectionType || codec instanceof t.UnionType)
    return (codec.types as readonly unknown[]).flatMap((one) => textsOf(one, path));
  if (codec instanceof DerivedType) return textsOf(codec.declared, path);
  if (codec instanceof t.ExactType || codec instanceof t.ReadonlyType) return textsOf(codec.type, path);
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return textsOf(codec.type, path);
  const { name } = codec as t.Mixed;
  return codec instanceof t.StringType || /^(?:string|text|domain|e-mail address|listed sender)$/.test(name)
    ? [[path, name]]
    : [];
};

/** Names of fields that are no identity which is compared, or one that the server has made itself: ids, codes, times. */
const plainNames = new Set(
  `action actionKey actionText active add addKeys after alias_count alias_id alias_prefix authenticatorData backup before
  category checkoutSessionId clientDataJSON attestationObject auth code codeId confirmed correspondent credentialId customPrefix deleted
  delivery description disabled enabled endTime endpoint field filter[active] filter[deleted] filter[pinned] filter[search]
  filter[verified] fingerprint from_name id ids inReplyTo invitation keepUnread label labels lastDay limit list localPart
  local_part mailId maskId maskName masks mark mode name note notificationId operator otp p256dh page page[number] page[size] page_id
  patterns pinned priceId publicKey q query rawId recipient recipient_ids remove removeKeys requestId secret signature
  signed_suffix sort startTime subject suggestionCategory suggestionId tempToken text ticket tier timeZone title token transports
  twoFactorCode type url userHandle username`.split(/\s+/),
);

type Body = Readonly<Record<string, unknown>>;

/** How a call is made with a text: one that names a domain, or an address there. */
interface Way {
  readonly takes: "domain" | "address";
  /** The body with the text; a path or query has it instead of `{text}`. */
  readonly body?: (text: string) => Body;
}

const description = "x";

/** Every field of the API that takes a domain, a host or an address. */
const ways: Readonly<Record<string, Way>> = {
  "POST /masks domain": {
    takes: "domain",
    body: (domain) => ({ description, domain, localPart: "hostmaster" }),
  },
  "POST /masks forwardTo": { takes: "address", body: (forwardTo) => ({ description, forwardTo }) },
  "POST /masks destinations": { takes: "address", body: (one) => ({ description, destinations: [one] }) },
  "POST /masks senders.allow": {
    takes: "address",
    body: (one) => ({ description, senders: { allow: [one] } }),
  },
  "POST /masks senders.block": {
    takes: "domain",
    body: (one) => ({ description, senders: { block: [one] } }),
  },
  "POST /masks madeFor": { takes: "domain", body: (madeFor) => ({ description, madeFor }) },
  "PUT /masks/:id forwardTo": { takes: "address", body: (forwardTo) => ({ forwardTo }) },
  "PUT /masks/:id destinations": { takes: "address", body: (one) => ({ destinations: [one] }) },
  "PUT /masks/:id senders.allow": { takes: "address", body: (one) => ({ senders: { allow: [one] } }) },
  "PUT /masks/:id senders.block": { takes: "domain", body: (one) => ({ senders: { block: [one] } }) },
  "PUT /masks/:id madeFor": { takes: "domain", body: (madeFor) => ({ madeFor }) },
  "POST /masks/bulk change.forwardTo": {
    takes: "address",
    body: (forwardTo) => ({ ids: ["{mask}"], change: { kind: "forwardTo", forwardTo } }),
  },
  "PUT /masks/:id/senders/:sender sender": { takes: "address", body: () => ({ list: "allow" }) },
  "DELETE /masks/:id/senders/:sender sender": { takes: "address" },
  "POST /masks/:id/correspondents address": { takes: "address", body: (address) => ({ address }) },
  "POST /masks/:id/mails to": { takes: "address", body: (to) => ({ to, subject: "s", text: "t" }) },
  "POST /destinations email": { takes: "address", body: (email) => ({ email }) },
  "DELETE /destinations/:id masks.to": { takes: "address", body: (to) => ({ masks: { kind: "move", to } }) },
  "POST /domains name": { takes: "domain", body: (name) => ({ name }) },
  "PATCH /domains/:id destination": { takes: "address", body: (destination) => ({ destination }) },
  "POST /held/:id/release to": { takes: "address", body: (to) => ({ to }) },
  "GET /ai/senders/:domain domain": { takes: "domain" },
  "POST /ai/insights suggestion.forwardTo": {
    takes: "address",
    body: (forwardTo) => ({ suggestion: { forwardTo } }),
  },
  "POST /account/api-tokens domain": {
    takes: "domain",
    body: (domain) => ({ name: "n", scopes: ["masks:create"], domain, lifetimeDays: 30 }),
  },
  "PUT /account/profile email": { takes: "address", body: (email) => ({ email }) },
  "DELETE /account email": { takes: "address", body: (email) => ({ email }) },
  "POST /login email": { takes: "address", body: (email) => ({ email }) },
  "PUT /login email": { takes: "address", body: (email) => ({ email, otp: "123456" }) },
  "POST /login/verify2fa email": {
    takes: "address",
    body: (email) => ({ email, code: "123456", tempToken: "t" }),
  },
  "GET /api/v1/aliases domain": { takes: "domain" },
  "POST /api/v1/aliases domain": {
    takes: "domain",
    body: (domain) => ({ domain, format: "custom", local_part: "hostmaster" }),
  },
  "POST /api/mailboxes email": { takes: "address", body: (email) => ({ email }) },
  "PUT /api/mailboxes/:id email": { takes: "address", body: (email) => ({ email }) },
  "POST /api/aliases/:id/contacts contact": { takes: "address", body: (contact) => ({ contact }) },
  "PATCH /api/setting random_alias_default_domain": {
    takes: "domain",
    body: (domain) => ({ random_alias_default_domain: domain }),
  },
  "GET /api/v4/alias/options hostname": { takes: "domain" },
  "GET /api/v5/alias/options hostname": { takes: "domain" },
  "POST /api/v3/alias/custom/new hostname": {
    takes: "domain",
    body: (domain) => ({ alias_prefix: "hostmaster", signed_suffix: `@${domain}`, mailbox_ids: [1] }),
  },
  "POST /api/v2/alias/custom/new hostname": {
    takes: "domain",
    body: (domain) => ({ alias_prefix: "hostmaster", signed_suffix: `@${domain}` }),
  },
  "POST /api/alias/random/new hostname": { takes: "domain", body: () => ({}) },
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

describe("A domain or address in another spelling", () => {
  let server: TestServer;
  let user: Client;
  let program: Client;
  let mask: string;

  let accounts = 0;

  before(async () => {
    server = await startServer({ defaultTier: "self_hosted" });
  });

  /** Signs in anew: a proof of a user is recent for five minutes, and limits count by account. */
  const signIn = async (): Promise<void> => {
    accounts += 1;
    server.clock.advance(minuteMs);
    const email = `owner-${accounts}@example.org`;
    user = await server.signIn(email);
    await setTier(server.database, email, "self_hosted");
    const { json } = await user.call("POST", "/masks", { body: { description } });
    mask = (json as { id: string }).id;
    const scopes = ["masks:create", "masks:read", "masks:write", "destinations", "correspondents"];
    const body = { name: "Phone", scopes, domain: null, lifetimeDays: 30 };
    const made = await user.call("POST", "/account/api-tokens", { body });
    program = server.client();
    program.token = (made.json as { token: string }).token;
  };
  after(() => server?.stop());

  it("is taken by no call that this test does not know", () => {
    const found = endpoints.flatMap(({ value: { method, path, params, body } }) =>
      [...textsOf(params, ""), ...textsOf(body, "")].map(([field, name]) => ({
        way: `${method} ${path} ${field}`,
        isPlain: plainNames.has(lastOf(field)) && !/^(?:domain|e-mail address|listed sender)$/.test(name),
      })),
    );
    const unknown = found.filter(({ way, isPlain }) => !isPlain && !(way in ways)).map(({ way }) => way);
    expect(unknown, "add these to `ways`, or their names to `plainNames`").to.deep.equal([]);
    const gone = Object.keys(ways).filter((way) => !found.some((one) => one.way === way));
    expect(gone, "no call takes these any more").to.deep.equal([]);
  });

  /** Whether an address comes to the installation, by any rule that some part of the way of a mail may follow. */
  const isOurs = (address: string): boolean =>
    /(?:^|\.)masks\.test$/.test(domainToASCII(domainOf(address)).replace(/\.$/, ""));

  const assertNothingTaken = async (what: string): Promise<void> => {
    const { db } = server.database;
    const masks = (await db.selectFrom("masks").select("email").execute()).filter(isOfTest);
    const addresses = (await db.selectFrom("mask_addresses").select("email_key").execute()).filter(isOfTest);
    for (const address of [...masks.map(({ email }) => email), ...addresses.map((one) => one.email_key)])
      expect(
        [isDomainName(domainOf(address)), isGenerated(localPartOf(address))],
        `${what}: ${address}`,
      ).to.deep.equal([true, true]);
    const domains = await db.selectFrom("domains").select("name").execute();
    expect(domains.filter(isOfTest), what).to.deep.equal([]);
    for (const table of ["users", "destinations"] as const)
      for (const { email } of await db.selectFrom(table).select("email").execute())
        expect(isOurs(email), `${what}: ${email} in ${table}`).to.equal(false);
    const tokens = await db.selectFrom("api_tokens").select("domain").execute();
    for (const { domain } of tokens.filter(isOfTest))
      expect(domain === null || isDomainName(domain), `${what}: ${domain}`).to.equal(true);
  };

  const callWith = async (way: string, text: string): Promise<number> => {
    const [method = "", path = "", field = ""] = way.split(" ");
    const { body } = ways[way] ?? {};
    const inPath = path.includes(`:${field}`);
    const filled = path
      .replace(`:${field}`, () => encodeURIComponent(text))
      .replace(/:id/, () => (/^\/api\/|^\/domains|^\/held|^\/destinations/.test(path) ? "1" : mask));
    const query =
      inPath || body?.(text)[field] !== undefined || field.includes(".")
        ? ""
        : `?${field}=${encodeURIComponent(text)}`;
    const sent = body && JSON.parse(JSON.stringify(body(text)).replaceAll("{mask}", mask));
    const { status } = await (/^\/api\//.test(path) ? program : user).call(method, `${filled}${query}`, {
      ...(sent && { body: sent }),
    });
    return status;
  };

  for (const [way, { takes }] of Object.entries(ways))
    it(`takes no name of the installation by ${way}`, async () => {
      const domain = fc.constantFrom("masks.test", "mine.masks.test").chain(spellingOf);
      const text = takes === "domain" ? domain : domain.map((one) => `hostmaster@${one}`);
      await signIn();
      const isSignIn = way.includes(" /login");
      const assertHandled = (status: number, spelling: string): void => {
        expect(status, `${way}: ${spelling}`).to.be.below(500);
        if (!isSignIn) expect([401, 429], `${way}: ${spelling}`).not.to.include(status);
      };
      for (const one of ["MASKS.TEST", "masks。test", "ｍasks.test."].map((name) =>
        takes === "domain" ? name : `admin@${name}`,
      ))
        assertHandled(await callWith(way, one), one);
      await assertNothingTaken(way);
      await fc.assert(
        fc.asyncProperty(text, async (spelling) => {
          server.clock.advance(20_000);
          assertHandled(await callWith(way, spelling), spelling);
          await assertNothingTaken(`${way}: ${spelling}`);
        }),
        { numRuns: 8, endOnFailure: true },
      );
    });
});
