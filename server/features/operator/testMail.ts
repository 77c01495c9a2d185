import { firstValueFrom, timer } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { postmasterAddress, systemMailAddress } from "../../delivery/serviceAddresses.ts";
import { composeSystemMail } from "../../delivery/systemMail/systemMail.ts";
import type { Transport } from "../../delivery/transport.ts";
import type { Db } from "../../platform/store/database.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { type Check, ok, problem } from "./check.ts";

const title = "test mail";
/** The time within which the mail has to come in. */
export const arrivesWithinMs = 2 * minuteMs;
const askEveryMs = 1_000;

/** Returns true if mail to the postmaster has come in since a time; `postmaster` is the address that it is forwarded to. */
export const hasPostmasterMailSince = async (db: Db, postmaster: string, since: number): Promise<boolean> => {
  const found = await db
    .selectFrom("queue")
    .select("id")
    .where("user_id", "is", null)
    .where("recipient", "=", postmaster)
    .where("created_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

export interface TestMailDeps {
  /** The way on which mail of others comes to this installation. */
  readonly transport: Pick<Transport, "send">;
  readonly hasComeSince: (since: number) => Promise<boolean>;
  readonly sender: { readonly brand: string; readonly maskDomain: DomainName; readonly publicUrl: string };
  /** What to do when nothing comes in. */
  readonly advice: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sends a mail to the installation's postmaster as others do, and waits until it has come in. */
export const checkTestMail = async ({
  transport,
  hasComeSince,
  sender,
  advice,
  clock,
  random,
}: TestMailDeps): Promise<Check> => {
  const recipient = postmasterAddress(sender.maskDomain);
  const since = clock.now();
  const text = `This mail to ${recipient} was sent to find out whether mail comes in. It has come in.`;
  const content = Buffer.from(
    await composeSystemMail(
      sender,
      { to: recipient, subject: "Test mail", text, html: `<p>${text}</p>` },
      { now: since, random },
    ),
  );
  const outcome = await transport.send({
    id: newQueueId(random, since),
    envelopeSender: systemMailAddress(sender.maskDomain),
    recipient,
    size: content.length,
    chunks: () => [content],
    createdAt: since,
  });
  if (outcome.kind !== "delivered")
    return problem(title, `could not be sent: ${outcome.answer}`, "See the answer of the server that sends");
  while (clock.now() - since < arrivesWithinMs) {
    if (await hasComeSince(since))
      return ok(
        title,
        `came in after ${Math.ceil((clock.now() - since) / 1_000)} s, and is forwarded to you`,
      );
    await firstValueFrom(timer(askEveryMs, clock.scheduler));
  }
  return problem(title, `was sent, but has not come in within ${arrivesWithinMs / minuteMs} minutes`, advice);
};
