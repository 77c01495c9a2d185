import { expect } from "chai";
import fc from "fast-check";
import type { Domain } from "../../../../core/domains/domain.ts";
import { hourMs } from "../../../../core/kernel/durations.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { contentOf } from "../../../../server/delivery/outgoingCopy.ts";
import { createOwnedTransport } from "../../../../server/features/masks/ownedTransport.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { useSqlite } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner } from "../../support/owners.ts";
import { withContent } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";
import { zoneOf } from "./zones.ts";

const emails = ["one@example.org", "two@example.org"] as const;
const localParts = ["shop", "news"] as const;
type LocalPart = (typeof localParts)[number];

/** One of two accounts. */
type Account = 0 | 1;

type Step =
  | { readonly kind: "prove" | "remove" | "restoreAll" | "restoreEach" | "switchOn"; readonly by: Account }
  | { readonly kind: "lose" }
  | { readonly kind: "create"; readonly by: Account; readonly localPart: LocalPart }
  | { readonly kind: "delete" | "rename" | "receive"; readonly by: Account; readonly localPart: LocalPart }
  | { readonly kind: "catchAll"; readonly by: Account };

const account = fc.constantFrom<Account>(0, 1);
const localPart = fc.constantFrom(...localParts);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("prove" as const), by: account }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "restoreAll" as const,
        "restoreEach" as const,
        "remove" as const,
        "switchOn" as const,
      ),
      by: account,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("catchAll" as const), by: account }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("create" as const), by: account, localPart }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("delete" as const, "rename" as const, "receive" as const),
      by: account,
      localPart,
    }),
  },
);

describe("The addresses at a domain that goes from one account to another", () => {
  let server: TestServer;
  let dns: DnsStub;
  let relay: RunningListener;
  let users: readonly [Client, Client];
  let ids: readonly string[];
  let runs = 0;

  before(async () => {
    dns = await startDnsStub({});
    server = await startServer({ dnsServer: dns.address });
    relay = await startListener(server.database, undefined, {
      maskDomain: named("masks.test"),
      secrets,
      senderLimits: { perMinute: 1_000_000, perHour: 1_000_000, dailyShare: 100 },
      repliesPerDay: { free: 1, basic: 1, pro: 1, pro_premium: 1, business: 1, self_hosted: 1_000_000 },
    });
    await signIn();
    for (const email of emails) await setTier(server.database, email, "self_hosted");
    ids = (
      await server.database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .orderBy("email")
        .execute()
    ).map(({ id }) => id);
  });
  /** Sessions are short, and the time goes on with each check of a domain. */
  const signIn = async (): Promise<void> => {
    server.clock.advance(2 * hourMs);
    users = [await server.signIn(emails[0]), await server.signIn(emails[1])];
  };
  after(async () => {
    await relay?.close();
    await server?.stop();
    await dns?.close();
  });

  /** The accounts that a mail to an address has reached; none where it is refused. */
  const receiversOf = async (address: string): Promise<readonly (string | null)[]> => {
    const { db } = server.database;
    await db.deleteFrom("queue").where("user_id", "is distinct from", bystander.id).execute();
    const client = await relay.connect();
    const content = "From: a@sender.example\r\nSubject: x\r\n\r\nx\r\n";
    const answer = await client.mail("a@sender.example", [address], content);
    client.destroy();
    const rows = await db
      .selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .select(["user_id", "recipient"])
      .execute();
    expect(rows.length === 0, answer).to.equal(!answer.startsWith("250"));
    return rows.map(({ user_id }) => user_id);
  };
  /** Whether an account can send a first mail from an address. */
  const canSend = async (userId: string, address: string): Promise<boolean> => {
    const content = contentOf(
      Buffer.from(`From: <${address}>\r\nTo: b@else.example\r\nSubject: x\r\n\r\nx\r\n`),
    );
    const refusal = await relay.listener.outgoing?.submit(userId, content, [
      { address: "b@else.example", reverse: null },
    ]);
    return refusal === null;
  };

  /** Sends a request that is refused for what it asks alone: neither for its rate nor for its session. */
  const call = async (by: Account, ...request: Parameters<Client["call"]>) => {
    const answer = await users[by].call(...request);
    expect(answer.status, `${answer.text} ${request}`).not.to.be.oneOf([401, 429]);
    return answer;
  };

  const createRun = async (name: string) => {
    /** Who owns the domain, by what the steps mean. */
    let owner: Account | null = null;
    const added = new Map<Account, Domain>();
    const addresses = new Set(localParts.map((part) => `${part}@${name}`));
    const find = async (by: Account, part: LocalPart): Promise<Mask | undefined> =>
      ((await call(by, "GET", "/masks")).json as { masks: Mask[] }).masks.find(({ description }) =>
        description?.startsWith(`${part} ${name}`),
      );
    const trash = async (by: Account): Promise<readonly string[]> =>
      ((await call(by, "GET", "/masks/trash")).json as { masks: Mask[] }).masks
        .filter(({ description }) => description?.endsWith(name))
        .map(({ id }) => id);

    const check = async (by: Account): Promise<void> => {
      server.clock.advance(10_000);
      await call(by, "POST", `/domains/${added.get(by)?.id}/check`);
    };
    const loseProof = async (): Promise<void> => {
      dns.zone = {};
      if (owner !== null) await check(owner);
    };

    const perform = async (one: Step): Promise<void> => {
      switch (one.kind) {
        case "prove": {
          // The domain may be added by others once the proof of its owner is known to be gone.
          if (owner !== one.by) await loseProof();
          const domain =
            added.get(one.by) ??
            ((await call(one.by, "POST", "/domains", { body: { name } })).json as Domain);
          added.set(one.by, domain);
          dns.zone = zoneOf(domain);
          await check(one.by);
          owner = one.by;
          return;
        }
        case "lose":
          await loseProof();
          return;
        case "remove": {
          const domain = added.get(one.by);
          if (!domain) return;
          await call(one.by, "DELETE", `/domains/${domain.id}`);
          added.delete(one.by);
          if (owner === one.by) owner = null;
          return;
        }
        case "create": {
          const { status } = await call(one.by, "POST", "/masks", {
            body: { description: `${one.localPart} ${name}`, domain: name, localPart: one.localPart },
          });
          expect(status === 201 && owner !== one.by, "only the owner makes masks").to.equal(false);
          return;
        }
        case "delete": {
          const mask = await find(one.by, one.localPart);
          if (mask) await call(one.by, "DELETE", `/masks/${mask.id}`);
          return;
        }
        case "rename": {
          const mask = await find(one.by, one.localPart);
          const answer =
            mask &&
            (await call(one.by, "PUT", `/masks/${mask.id}`, {
              body: { customPrefix: mask.customPrefix === null ? "other" : null },
            }));
          if (answer?.status === 200) addresses.add((answer.json as Mask).maskEmail);
          return;
        }
        case "restoreAll":
        case "switchOn": {
          const masks = [...(await trash(one.by))];
          for (const part of localParts) masks.push((await find(one.by, part))?.id ?? "none");
          const change = one.kind === "restoreAll" ? { kind: "restore" } : { kind: "switch", active: true };
          await call(one.by, "POST", "/masks/bulk", { body: { ids: masks, change } });
          return;
        }
        case "restoreEach":
          for (const id of await trash(one.by)) await call(one.by, "POST", `/masks/${id}/restore`);
          return;
        case "catchAll": {
          const domain = added.get(one.by);
          if (domain) await call(one.by, "PATCH", `/domains/${domain.id}`, { body: { catchAll: "all" } });
          return;
        }
        case "receive":
          await receiversOf(`${one.localPart}@${name}`);
          return;
        default:
          one satisfies never;
      }
    };

    return {
      perform,
      check: async (): Promise<void> => {
        const ownerId = owner === null ? null : ids[owner];
        for (const address of addresses) {
          for (const id of await receiversOf(address)) expect(id, `receives at ${address}`).to.equal(ownerId);
          for (const id of ids)
            if (await canSend(id, address)) expect(id, `sends from ${address}`).to.equal(ownerId);
        }
        // What the owner sees as a mask does take mail and send.
        if (owner === null) return;
        for (const part of localParts) {
          const mask = await find(owner, part);
          if (!mask) continue;
          expect(await receiversOf(mask.maskEmail), mask.maskEmail).to.deep.equal([ids[owner]]);
          expect(await canSend(ids[owner] ?? "", mask.maskEmail), mask.maskEmail).to.equal(true);
        }
      },
      end: async (): Promise<void> => {
        for (const [by, { id }] of added) await call(by, "DELETE", `/domains/${id}`);
      },
    };
  };

  it("are used by the account alone that owns it now, whatever both do", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        runs += 1;
        await signIn();
        const run = await createRun(`own${runs}.example`);
        for (const one of steps) await run.perform(one);
        await run.check();
        await run.end();
      }),
      {
        numRuns: 20,

        seed: 28,
        examples: [
          [
            [
              { kind: "prove", by: 0 },
              { kind: "create", by: 0, localPart: "shop" },
              { kind: "prove", by: 1 },
              { kind: "restoreAll", by: 0 },
              { kind: "rename", by: 0, localPart: "shop" },
            ],
          ],
          [
            [
              { kind: "prove", by: 0 },
              { kind: "create", by: 0, localPart: "shop" },
              { kind: "remove", by: 0 },
              { kind: "restoreAll", by: 0 },
              { kind: "prove", by: 1 },
              { kind: "create", by: 1, localPart: "shop" },
              { kind: "switchOn", by: 0 },
            ],
          ],
        ],
      },
    ));
});

describe("Mail of a mask in the queue", () => {
  const { database } = useSqlite();
  const mail = (userId: string, maskId: string, envelopeSender: string) =>
    withContent(
      { id: "1", userId, maskId, envelopeSender, recipient: "b@else.example", createdAt: 0 },
      Buffer.from("x"),
    );

  it("is not sent once its owner has lost the domain, and is as before when it is theirs again", async () => {
    const { db } = database();
    const [owner, other] = [await addOwner(db), await addOwner(db)];
    await addDomain(db, owner);
    const mask = await addMask(db, owner, { email: "shop@own.example" });
    const transport = createOwnedTransport({
      transport: { send: async () => ({ kind: "delivered", answer: "250" }), abort: () => {} },
      database: database(),
      maskDomain: named("masks.example"),
    });
    const outcomes = async (): Promise<readonly string[]> => {
      const mails = [
        mail(owner.id, mask.id, mask.email),
        mail(owner.id, mask.id, ""),
        mail(owner.id, mask.id, "bounces@masks.example"),
        mail(owner.id, mask.id, "any@masks.example"),
      ];
      return Promise.all(mails.map(async (one) => (await transport.send(one)).kind));
    };
    expect(await outcomes()).to.deep.equal(["delivered", "delivered", "delivered", "delivered"]);
    await db.updateTable("domains").where("user_id", "!=", bystander.id).set({ user_id: other.id }).execute();
    expect(await outcomes()).to.deep.equal(["permanent", "permanent", "delivered", "delivered"]);
    await db.updateTable("domains").where("user_id", "!=", bystander.id).set({ user_id: owner.id }).execute();
    expect((await outcomes())[0]).to.equal("delivered");
  });
});
