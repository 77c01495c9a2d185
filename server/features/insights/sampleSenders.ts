import { dayMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { isInMemory } from "../../delivery/outgoingCopy.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { Judge } from "../../proof/judge.ts";
import type { MailDecision } from "../../relay/decision/mailDecision.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";

/** The daily checks per mask, because each queries the name server. */
const samplesPerDay = 10;
/** The checks of all masks together in a second, so that a burst of mail is not delayed by them. */
const samplesPerSecond = 20;
/** Limits the memory for the counters of masks. */
const maxMasks = 10_000;

/** Records the result of a sender check. */
export type RecordVerdict = (route: MailRoute, authentication: Evidence["authentication"]) => Promise<void>;

export interface SampleDeps {
  readonly check: Judge;
  readonly record: RecordVerdict;
  readonly clock: Pick<Clock, "now">;
}

/** Checks an accepted mail if one is due; returns immediately. */
export type SampleSenders = (mail: RawMail, decisions: readonly MailDecision[]) => void;

/**
 * Creates the function that samples unchecked mail to masks without a spam filter, so that suggestions can say when it
 * would help: one mail at a time after acceptance, 10 a day per mask, 20 a second in all.
 */
export const createSampleSenders = ({ check, record, clock }: SampleDeps): SampleSenders => {
  let isBusy = false;
  let day = 0;
  let samplesOfMask = new Map<string, number>();
  let second = 0;
  let samplesInSecond = 0;

  const isDue = ({ route, block, evidence }: MailDecision): boolean =>
    !route.spamFilter &&
    evidence === null &&
    block === null &&
    (samplesOfMask.get(route.maskId) ?? 0) < samplesPerDay;

  const sample = async ({ content, envelope }: RawMail, { route }: MailDecision): Promise<void> => {
    const { head, size } = content;
    const { authentication } = await check({ head, size, readAll: async () => head }, envelope);
    if (authentication.dmarc !== "temperror") await record(route, authentication);
  };

  return (mail, decisions) => {
    // A large mail is no longer in memory.
    if (isBusy || !isInMemory(mail.content)) return;
    const now = clock.now();
    const thisSecond = Math.floor(now / 1000);
    if (thisSecond !== second) [second, samplesInSecond] = [thisSecond, 0];
    if (samplesInSecond >= samplesPerSecond) return;
    const today = Math.floor(now / dayMs);
    if (today !== day || samplesOfMask.size > maxMasks) {
      day = today;
      samplesOfMask = new Map();
    }
    const due = decisions.find(isDue);
    if (!due) return;
    isBusy = true;
    samplesInSecond += 1;
    const { maskId } = due.route;
    samplesOfMask.set(maskId, (samplesOfMask.get(maskId) ?? 0) + 1);
    void sample(mail, due)
      .catch(() => {})
      .finally(() => {
        isBusy = false;
      });
  };
};
