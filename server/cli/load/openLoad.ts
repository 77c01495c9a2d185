import { firstValueFrom, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";

/** The load that is sent. */
export interface OpenLoad {
  /** Mails a second on average; they arrive independently of each other and of the answers. */
  readonly rate: number;
  readonly seconds: number;
  /** Sends the mail with a number; resolves with the code of the answer, or the code of the error of the connection. */
  readonly send: (number: number) => Promise<string>;
  /** Called each second with what has happened so far. */
  readonly onProgress: (so: LoadFigures) => void;
}

/** The figures of a load. Times are in milliseconds from the moment at which a mail was due. */
export interface LoadFigures {
  readonly sent: number;
  readonly accepted: number;
  /** The number of other answers, by their codes. */
  readonly refused: Readonly<Record<string, number>>;
  /** Mails that were due while too many waited for their answers. */
  readonly omitted: number;
  readonly seconds: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

/** More mails than this do not wait for an answer at a time: the server is far behind then. */
export const mostWaiting = 2_000;
const progressEveryMs = 1_000;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

/**
 * Sends mails at random times with a mean rate, whether or not the server keeps up: a slow answer delays no other mail,
 * and its time counts from the moment at which the mail was due. Resolves when all have been answered.
 */
export const runOpenLoad = async (
  { rate, seconds, send, onProgress }: OpenLoad,
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, "fraction"> },
): Promise<LoadFigures> => {
  const began = clock.now();
  const times: number[] = [];
  const refused = new Map<string, number>();
  const waiting = new Set<Promise<void>>();
  let sent = 0;
  let omitted = 0;
  let shownAt = began;

  const figures = (): LoadFigures => {
    const sorted = times.toSorted((one, other) => one - other);
    return {
      sent,
      accepted: times.length,
      refused: Object.fromEntries(refused),
      omitted,
      seconds: (clock.now() - began) / 1_000,
      median: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      longest: sorted.at(-1) ?? Number.NaN,
    };
  };
  const sendOne = async (due: number): Promise<void> => {
    const code = await send(sent);
    if (code === "250") times.push(clock.now() - due);
    else refused.set(code, (refused.get(code) ?? 0) + 1);
  };

  const end = began + seconds * 1_000;
  for (let due = began; ; ) {
    // The times between independent arrivals are distributed exponentially.
    due += (-Math.log(1 - random.fraction()) / rate) * 1_000;
    if (due >= end) break;
    const left = due - clock.now();
    if (left >= 1) await firstValueFrom(timer(left, clock.scheduler));
    if (waiting.size >= mostWaiting) omitted += 1;
    else {
      sent += 1;
      const answered = sendOne(due).finally(() => waiting.delete(answered));
      waiting.add(answered);
    }
    if (clock.now() - shownAt < progressEveryMs) continue;
    shownAt = clock.now();
    onProgress(figures());
  }
  await Promise.all(waiting);
  return figures();
};
