import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { createDeliveryMetrics } from "../../../server/delivery/deliveryMetrics.ts";
import type { DeliveryOutcome } from "../../../server/delivery/transport.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { bystander } from "../support/bystander.ts";
import { onEachDatabase } from "../support/databases.ts";
import { queueMail, startDelivery } from "../support/runningDelivery.ts";
import { until } from "../support/until.ts";

const hourMs = 3_600_000;

describe("The metrics of delivery", () => {
  onEachDatabase(({ database }) => {
    it("count each attempt by its result, and the time since the mail has arrived", async () => {
      const registry = new Registry();
      const clock = createVirtualClock();
      const outcomes: Readonly<Record<string, DeliveryOutcome>> = {
        "ada@home.example": { kind: "delivered", answer: "250 OK" },
        "bob@home.example": { kind: "temporary", answer: "450 later" },
        "eve@home.example": { kind: "permanent", answer: "550 no" },
        "dan@home.example": { kind: "postponed", answer: "", retryInMs: hourMs },
      };
      for (const recipient of Object.keys(outcomes))
        await queueMail(database().db, { recipient }, clock.now() - hourMs / 2);
      const sent: string[] = [];
      const transport = {
        send: async ({ recipient }: { readonly recipient: string }): Promise<DeliveryOutcome> => {
          sent.push(recipient);
          return outcomes[recipient] ?? { kind: "permanent", answer: "550 who" };
        },
        abort: () => {},
      };
      const delivery = startDelivery(database(), transport, clock, 4, {
        onResult: createDeliveryMetrics(registry),
      });
      const isRecorded = async (): Promise<boolean> =>
        (
          await database()
            .db.selectFrom("queue")
            .where("user_id", "is distinct from", bystander.id)
            .where("lease", "is", null)
            .selectAll()
            .execute()
        ).length === Object.keys(outcomes).length;
      await until("all are tried", async () => sent.length === 4 && (await isRecorded()));
      await delivery.stop();
      const text = await registry.metrics();
      for (const line of [
        'bauta_deliveries_total{result="delivered"} 1',
        'bauta_deliveries_total{result="deferred"} 1',
        'bauta_deliveries_total{result="bounced"} 1',
        'bauta_deliveries_total{result="held"} 0',
        'bauta_delivery_seconds_bucket{le="600"} 0',
        'bauta_delivery_seconds_bucket{le="3600"} 1',
        "bauta_delivery_seconds_count 1",
      ])
        expect(text).to.contain(`${line}\n`);
    });
  });
});
