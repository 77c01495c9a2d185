import { expect } from "chai";
import { generateKey, type KeyOptions } from "openpgp";
import {
  findOfferedKey,
  putDestinationKey,
} from "../../../../server/features/destinations/destinationKeyQueries.ts";
import { autocryptKey } from "../../../../server/mime/autocryptField.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";
import { until } from "../../support/until.ts";

const lines = (...all: readonly string[]): string => all.join("\r\n");

const keyOf = async (email: string, options: Partial<KeyOptions> = {}): Promise<string> => {
  const { publicKey } = await generateKey({
    type: "curve25519",
    userIDs: [{ email }],
    format: "object",
    // Before the virtual time of the relay.
    date: new Date("2026-01-01"),
    ...options,
  } as KeyOptions & { format: "object" });
  return Buffer.from(publicKey.write()).toString("base64");
};

/** Writes the field as programs do, folded. */
const field = (address: string, key: string, more = ""): string =>
  `Autocrypt: addr=${address};${more} keydata=${key.replace(/.{70}/g, "\r\n $&")}`;

describe("The key in a mail of its author", () => {
  const read = (author: string, ...fields: readonly string[]): string | null => {
    const content = Buffer.from(lines(...fields, "", "text"));
    const header = readHeaderBlock(content);
    return header && (autocryptKey({ content, header }, author)?.toString("base64") ?? null);
  };
  const ada = "ada@home.example";

  it("is that of the only valid field of their address", () => {
    const key = "AAAA".repeat(100);
    expect(read(ada, field(ada, key))).to.equal(key);
    expect(read(ada, field("Ada@HOME.example", key, " prefer-encrypt=mutual; _own=1;"))).to.equal(key);
    expect(read(ada, field("eve@home.example", "BBBB"), field(ada, key))).to.equal(key);
    for (const [what, ...fields] of [
      ["two", field(ada, key), field(ada, key)],
      ["an unknown attribute", field(ada, key, " critical=1;")],
      ["somebody else's", field("eve@home.example", key)],
      ["no address", `Autocrypt: keydata=${key}`],
      ["no key", `Autocrypt: addr=${ada}`],
      ["no base 64", field(ada, "<key>")],
      ["too long", field(ada, "AAAA".repeat(3_000))],
      ["too many", ...Array.from({ length: 6 }, () => field("eve@home.example", key)), field(ada, key)],
      ["none"],
    ] as const)
      expect(read(ada, ...fields), what).to.equal(null);
  });
});

describe("The key in a reply of an owner", () => {
  let dns: Awaited<ReturnType<typeof startDnsStub>>;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    let reverse: string;
    let destinationId: string;

    const send = async (from: string, to: string, content: string): Promise<string> => {
      await relay.clock.advance(1);
      return (await relay.connect()).mail(from, [to], content);
    };
    const reply = (fields: readonly string[], author = owner.email, envelope = author): Promise<string> =>
      send(
        envelope,
        reverse,
        lines(`From: <${author}>`, `To: <${reverse}>`, "Subject: Re: Your order", ...fields, "", "Yes."),
      );
    const offered = () => findOfferedKey(database().db, owner.id, destinationId);

    beforeEach(async () => {
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
      const letter = lines("From: <bob@shop.example>", `To: <${mask.email}>`, "Subject: Hi", "", "Hi");
      expect(await send("bob@shop.example", mask.email, letter)).to.match(/^250/);
      const [forwarded] = await readQueue(database().db);
      reverse = /re-[a-z2-7]{32}@masks\.example/.exec(forwarded?.content.toString() ?? "")?.[0] ?? "";
      const row = await database()
        .db.selectFrom("destinations")
        .select("id")
        .where("user_id", "=", owner.id)
        .executeTakeFirstOrThrow();
      destinationId = row.id;
    });
    afterEach(() => relay.close());

    it("is kept to be offered, the newest one, is not used, and never reaches the correspondent", async () => {
      for (const _ of [1, 2]) {
        const before = (await offered())?.fingerprint;
        expect(await reply([field(owner.email, await keyOf(owner.email))])).to.match(/^250/);
        await until("a key is offered", async () => {
          const now = (await offered())?.fingerprint;
          return now !== undefined && now !== before;
        });
      }
      expect(await offered()).to.deep.include({ userIds: [`<${owner.email}>`], algorithm: "X25519" });
      const { db } = database();
      expect(
        await db.selectFrom("destination_keys").where("user_id", "!=", bystander.id).selectAll().execute(),
      ).to.deep.equal([]);
      for (const { recipient, content } of await readQueue(db))
        if (recipient === "bob@shop.example") expect(content.toString()).not.to.match(/autocrypt|keydata/i);
    });

    it("is not kept of strangers, forgers and other addresses, nor when mail cannot be encrypted to it", async () => {
      const good = await keyOf(owner.email);
      expect(await reply([field(owner.email, good)], owner.email, "eve@shop.example")).to.match(/^5/);
      expect(await reply([field("eve@shop.example", good)], "eve@shop.example")).to.match(/^5/);
      const expired = await keyOf(owner.email, { keyExpirationTime: 60 });
      const others = await keyOf("eve@home.example");
      for (const one of [field(owner.email, expired), field(owner.email, others), field(owner.email, "AAAA")])
        expect(await reply([one])).to.match(/^250/);
      expect(await offered()).to.equal(null);
      expect(await reply([field(owner.email, good)])).to.match(/^250/);
      await until("the good one is offered", async () => (await offered()) !== null);
      expect((await offered())?.userIds).to.deep.equal([`<${owner.email}>`]);
    });

    it("is not offered while it is in use, and no more once it is", async () => {
      const key = await keyOf(owner.email);
      await reply([field(owner.email, key)]);
      await until("it is offered", async () => (await offered()) !== null);
      const found = await offered();
      if (!found) throw new Error("no key is offered");
      await putDestinationKey(database().db, { userId: owner.id, destinationId }, found, 1);
      expect(await offered()).to.equal(null);
      await reply([field(owner.email, key)]);
      const other = await keyOf(owner.email);
      await reply([field(owner.email, other)]);
      await until("another is offered", async () => (await offered()) !== null);
      expect((await offered())?.fingerprint).not.to.equal(found.fingerprint);
    });
  });
});
