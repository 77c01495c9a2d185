import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Passage } from "../relay/passage.ts";
import type { Evidence, SpamEnvelope } from "../spam/evidence.ts";
import type { Route } from "../store/routes.ts";

/** So many mails a day tell how a mask's senders are; checking each would ask the name server for each. */
const samplesADay = 10;
/** However many masks there are, what is known of them stays small. */
const mostMasks = 10_000;

/** Checks who a mail is from. Rejects where that takes too long. */
export type CheckSender = (content: Uint8Array, envelope: SpamEnvelope, owner: string) => Promise<Evidence>;

/** Notes what a check has found about a mail of a mask. */
export type NoteVerdict = (route: Route, authentication: Evidence["authentication"]) => Promise<void>;

export interface SampleParts {
  readonly check: CheckSender;
  readonly note: NoteVerdict;
  readonly clock: Pick<Clock, "now">;
}

/** Takes a look at a mail that was accepted, if it is time for one; nobody waits for it. */
export type SampleSenders = (
  content: Uint8Array,
  envelope: SpamEnvelope,
  passages: readonly Passage[],
) => void;

/**
 * Makes what checks some of the mail to masks whose spam filter is off, so that their owners can be told when it would
 * help: one at a time, 10 a day of each mask, after the mail was accepted.
 */
export const makeSampleSenders = ({ check, note, clock }: SampleParts): SampleSenders => {
  let isBusy = false;
  let day = 0;
  let taken = new Map<string, number>();

  const isDue = ({ route, block }: Passage): boolean =>
    !route.spamFilter && block === null && (taken.get(route.maskId) ?? 0) < samplesADay;

  const sample = async (content: Uint8Array, envelope: SpamEnvelope, { route }: Passage): Promise<void> => {
    const { authentication } = await check(content, envelope, route.userId);
    if (authentication.dmarc !== "temperror") await note(route, authentication);
  };

  return (content, envelope, passages) => {
    const today = Math.floor(clock.now() / dayMs);
    if (today !== day || taken.size > mostMasks) {
      day = today;
      taken = new Map();
    }
    const due = isBusy ? undefined : passages.find(isDue);
    if (!due) return;
    isBusy = true;
    const { maskId } = due.route;
    taken.set(maskId, (taken.get(maskId) ?? 0) + 1);
    void sample(content, envelope, due)
      .catch(() => {})
      .finally(() => {
        isBusy = false;
      });
  };
};
