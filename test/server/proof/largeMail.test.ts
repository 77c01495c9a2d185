import { expect } from "chai";
import type { DnsAnswer } from "../../../server/platform/dns/dnsMessage.ts";
import type { BeginContent } from "../../../server/platform/spool/mailContent.ts";
import { spoolBytes } from "../../../server/smtp/smtpLimits.ts";
import { useSqlite } from "../support/databases.ts";
import { createZoneClient } from "../support/dnsZone.ts";
import { type RunningListener, startListener } from "../support/listener.ts";
import { createMemory } from "../support/memoryContent.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { until } from "../support/until.ts";

const headBytes = 64 * 1024;
const memory = createMemory(spoolBytes);

/** Only the first bytes of a mail are in memory, as when the rest is on the disk. */
const beginContent: BeginContent = (declaredSize) => {
  const arriving = memory.beginContent(declaredSize);
  return {
    ...arriving,
    finish: async () => {
      const content = await arriving.finish();
      if (typeof content === "string") return content;
      return { ...content, head: content.head.subarray(0, headBytes) };
    },
  };
};

const zone = createZoneClient({
  "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
});

const letter = (from: string): string =>
  `From: ${from}\r\nSubject: Large\r\n\r\n${`${"x".repeat(76)}\r\n`.repeat(3_900)}`;

describe("A large mail", () => {
  const { database } = useSqlite();
  let relay: RunningListener;
  const released = Promise.withResolvers<DnsAnswer>();
  let asked = 0;
  beforeEach(async () => {
    relay = await startListener(database(), undefined, {
      beginContent,
      trustedNetworks: [],
      senderLimits: { perMinute: 1_000, perHour: 1_000, dailyShare: 100 },
      askDns: (name, type) => {
        if (!name.endsWith("silent.example")) return zone(name, type);
        asked += 1;
        return released.promise;
      },
    });
  });
  afterEach(() => relay.close());

  it("is taken while thirty others wait for a name server that does not answer", async () => {
    const owner = await addOwner(database().db, "self_hosted");
    const mask = await addMask(database().db, owner, { spamFilter: true });
    const order: string[] = [];
    const waiting = Array.from({ length: 30 }, async (_, n) => {
      const domain = `d${n}.silent.example`;
      const client = await relay.connect("EHLO mx.silent.example");
      await client.mail(`a@${domain}`, [mask.email], letter(`a@${domain}`));
      order.push("silent");
    });
    await until("DNS is asked for the mails", () => asked > 3, 20_000);
    const client = await relay.connect();
    const answer = await client.mail("a@shop.example", [mask.email], letter("a@shop.example"));
    order.push("honest");
    expect(answer).to.match(/^250/);
    expect(order).to.deep.equal(["honest"]);
    released.reject(new Error("no answer"));
    await Promise.all(waiting);
    expect(order).to.have.length(31);
  });
});
