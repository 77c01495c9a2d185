import { expect } from "chai";
import {
  describeEvents,
  describeMessage,
  describeOutcome,
  healthOf,
} from "../../../core/webhooks/describeWebhook.ts";
import { webhookEvents } from "../../../core/webhooks/webhookEvent.ts";
import { createDelivery, createWebhook } from "../../fakes/productWebhooks.ts";

describe("A webhook in words", () => {
  it("fails while it is on and its last delivery did not succeed", () => {
    expect(healthOf(createWebhook("a"))).to.equal("working");
    expect(healthOf(createWebhook("a", { failingSince: "2026-11-20T10:00:00.000Z" }))).to.equal("failing");
    expect(healthOf(createWebhook("a", { state: "off", failingSince: "2026-11-20T10:00:00.000Z" }))).to.equal(
      "off",
    );
  });

  it("names its events by what they are about", () => {
    expect(describeEvents(["mask.made", "mail.held", "mail.received"])).to.equal(
      "Mail: received, held. Masks: created",
    );
    expect(describeEvents(["mask.deleted"])).to.equal("Masks: deleted");
    expect(describeEvents(webhookEvents)).to.equal("All events");
  });

  it("names messages and what became of them", () => {
    expect(describeMessage(createDelivery("1", { event: "mask.made" }))).to.equal("Mask created");
    expect(describeMessage(createDelivery("1"))).to.equal("Mail received");
    expect(describeMessage(createDelivery("1", { event: "webhook.test" }))).to.equal("Test");
    expect(describeOutcome(createDelivery("1"))).to.equal("Answered 204 in 120 ms.");
    expect(describeOutcome(createDelivery("1", { status: null, problem: "Nothing answers." }))).to.equal(
      "Nothing answers.",
    );
    expect(describeOutcome(createDelivery("1", { status: null, durationMs: null }))).to.equal(
      "No answer yet.",
    );
  });
});
