import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { createOutgoing } from "../../../server/app/outgoingTransport.ts";
import { readConfig } from "../../../server/platform/config/config.ts";
import { createSeal } from "../../../server/platform/ops/secrets.ts";
import { DkimKeys } from "../../../server/proof/dkimRotation.ts";
import { onEachDatabase } from "../support/databases.ts";
import { silent } from "../support/listener.ts";
import { withContent } from "../support/queue.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { createTestClock } from "../support/testClock.ts";

const domain = "masks.example";
const forwarded = Buffer.from(
  [
    `Authentication-Results: ${domain}; spf=pass smtp.mailfrom=shop.example; dkim=none; dmarc=none; arc=none`,
    `From: "Shop - a at shop.example" <m@${domain}>`,
    "Subject: Your order",
    "",
    "It is on its way.",
    "",
  ].join("\r\n"),
);

describe("Mail that leaves without a next hop", () => {
  const folder = useTemporaryFolder();
  onEachDatabase(({ database }) => {
    /** Sends a mail and returns what is in the outbox. */
    const keep = async (dkim: "on" | "off"): Promise<string> => {
      const clock = createTestClock();
      const dataDir = join(folder(), dkim);
      const seal = createSeal(Buffer.alloc(32, 7), cryptoRandom);
      const dkimKeys = new DkimKeys({ database: database(), seal, clock, domain });
      await dkimKeys.ensure();
      const { transport } = await createOutgoing(
        readConfig({ MASK_DOMAIN: domain, DATA_DIR: dataDir, DKIM: dkim }),
        {
          database: database(),
          activeKeys: dkimKeys.active,
          countDns: (ask) => ask,
          clock,
          random: cryptoRandom,
          log: silent,
          deliveredLog: null,
          hasRoomForLarge: () => true,
        },
      );
      const mail = {
        id: "a",
        envelopeSender: `b@${domain}`,
        recipient: "someone@home.example",
        createdAt: 0,
      };
      const outcome = await transport.send({ ...mail, ...withContent({ content: forwarded }, forwarded) });
      expect(outcome.kind).to.equal("delivered");
      const outbox = join(dataDir, "outbox");
      return readdirSync(outbox)
        .map((name) => readFileSync(join(outbox, name), "latin1"))
        .join("");
    };

    it("is in the outbox with the signatures and the seal that it would leave with", async () => {
      const kept = await keep("on");
      expect(kept).to.match(/^X-Outbox-From: .*\r\nX-Outbox-To: .*\r\nARC-Seal: /);
      expect(kept.match(/^DKIM-Signature: /gm)).to.have.length(2);
      expect(kept.endsWith(forwarded.toString("latin1"))).to.equal(true);
    });

    it("is in the outbox as it is where DKIM is off", async () => {
      expect((await keep("off")).split("\r\n").slice(2).join("\r\n")).to.equal(forwarded.toString("latin1"));
    });
  });
});
