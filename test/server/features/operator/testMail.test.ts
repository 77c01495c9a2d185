import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { DeliveryOutcome } from "../../../../server/delivery/transport.ts";
import { checkTestMail } from "../../../../server/features/operator/testMail.ts";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";

const maskDomain = named("masks.example");

describe("The test mail of an operator", () => {
  const check = async (outcome: DeliveryOutcome, comesAfterMs: number) => {
    const clock = createVirtualClock();
    const sent: string[] = [];
    const checked = checkTestMail({
      transport: {
        send: async ({ envelopeSender, recipient }) => {
          sent.push(`${envelopeSender} to ${recipient}`);
          return outcome;
        },
      },
      hasComeSince: async (since) => since === startsAt && clock.now() - startsAt >= comesAfterMs,
      sender: { brand: "Masks", maskDomain, publicUrl: "https://masks.example" },
      advice: "Look into the mailbox",
      clock,
      random: cryptoRandom,
    });
    // It is composed in threads of the system before the first wait.
    while (clock.dueWithin(Number.POSITIVE_INFINITY) === 0 && sent.length === 0) await clock.advance(0);
    await clock.advance(121_000);
    return { ...(await checked), sent };
  };
  const delivered = { kind: "delivered", answer: "250 2.0.0 fine" } as const;

  it("goes to the postmaster, and is reported as soon as it has come in", async () => {
    expect(await check(delivered, 61_500)).to.deep.equal({
      name: "test mail",
      state: "ok",
      is: "came in after 62 s, and is forwarded to you",
      advice: null,
      sent: [`no-reply@${maskDomain} to postmaster@${maskDomain}`],
    });
  });

  it("is given up after two minutes, with where to look", async () => {
    expect(await check(delivered, 120_500)).to.include({
      state: "problem",
      is: "was sent, but has not come in within 2 minutes",
      advice: "Look into the mailbox",
    });
  });

  it("tells why the server that sends has refused it", async () => {
    const answer = "550 5.7.1 Sender not allowed";
    expect(await check({ kind: "permanent", answer }, 0)).to.include({
      state: "problem",
      is: `could not be sent: ${answer}`,
    });
  });
});
