import { expect } from "chai";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { until } from "../../support/until.ts";

const mail = "From: Bank <service@bank.example>\r\nSubject: Your account\r\n\r\nPlease sign in.\r\n";

describe("Mail to a mask whose spam filter is off", () => {
  let dns: DnsStub;
  let relay: RunningListener | undefined;
  beforeEach(async () => {
    dns = await startDnsStub({ "_dmarc.bank.example": { TXT: ["v=DMARC1; p=none"] } });
  });
  afterEach(async () => {
    await relay?.close();
    await dns.close();
  });

  onEachDatabase((use) => {
    it("is accepted unchanged, and the senders of ten mails a day are checked as a sample", async () => {
      const database = use.database();
      relay = await startListener(database, undefined, { dnsServer: dns.address, samplesSenders: true });
      const readVerdicts = () =>
        database.db
          .selectFrom("mask_counts")
          .where("user_id", "!=", bystander.id)
          .select(["key", "n"])
          .where("kind", "=", "verdict")
          .where("key", "like", "dmarc=%")
          .execute();
      const mask = await addMask(database.db, await addOwner(database.db, "pro"));
      const client = await relay.connect();
      for (let n = 1; n <= 10; n += 1) {
        expect(await client.mail("service@bank.example", [mask.email], mail)).to.match(/^250/);
        await until("a look at the mail", async () => Number((await readVerdicts())[0]?.n) === n);
      }
      for (let n = 0; n < 5; n += 1)
        expect(await client.mail("service@bank.example", [mask.email], mail)).to.match(/^250/);
      // A sender on the local machine can be authenticated, but cannot fail the checks.
      const rows = await readVerdicts();
      expect(rows.map(({ key, n }) => [key, Number(n)])).to.deep.equal([["dmarc=none", 10]]);
    });
  });
});
