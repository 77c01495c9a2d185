import { expect } from "chai";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { Delivery } from "../../../../server/delivery/delivery.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { asSent, onInputs, unclearAuthors } from "../../../support/corpora.ts";
import { useSqlite } from "../../support/databases.ts";
import { silent, startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { newStorage } from "../../support/runningDelivery.ts";
import { startSink } from "../../support/sink.ts";
import { until } from "../../support/until.ts";
import { undoForwarding } from "./undo.ts";

describe("Odd mails", () => {
  const { database } = useSqlite();

  onInputs(["oddMails", "bounces", "dmarcMails"], ({ areSamples, files: filesOf }) => {
    it("are forwarded when their author is clear, and undoing the changes to the header restores the same bytes", async () => {
      const { db } = database();
      const owner = await addOwner(db, "business");
      // Calendars are changed so that answers to them go through the mask.
      await db.updateTable("users").where("id", "=", owner.id).set({ calendars_through_mask: 0 }).execute();
      const mask = await addMask(db, owner);
      const relay = await startListener(database());
      const sink = await startSink();
      const transport = createNextHopTransport(
        { host: "127.0.0.1", port: sink.port, secure: false },
        "masks.example",
        4,
      );
      const delivery = new Delivery({
        database: database(),
        ...newStorage(database()),
        transport,
        clock: { ...systemClock, now: () => Date.UTC(2026, 11, 1) },
        random: cryptoRandom,
        log: silent,
        onOwnerNotified: () => {},
        concurrency: 4,
      });
      const stop = delivery.start();
      try {
        const client = await relay.connect();
        const files = filesOf("oddMails", "bounces", "dmarcMails");
        expect(files.length).to.be.greaterThan(areSamples ? 25 : 280);
        let forwarded = 0;
        for (const { name, content } of files) {
          const sent = asSent(content);
          if (unclearAuthors.has(name)) {
            expect(await client.mail("sender@shop.example", [mask.email], sent), name).to.match(
              /^550 5\.6\.0 /,
            );
            continue;
          }
          expect(await client.mail("sender@shop.example", [mask.email], sent), name).to.match(/^250 /);
          delivery.wake();
          await until(`${name} has arrived`, () => sink.mails.length === forwarded + 1);
          const arrived = sink.mails[forwarded]?.content ?? Buffer.alloc(0);
          forwarded += 1;
          expect(undoForwarding(arrived).equals(sent), name).to.equal(true);
        }
      } finally {
        await relay.close();
        await stop();
        await sink.close();
      }
    });
  });
});
