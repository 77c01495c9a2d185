import { timer } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { type Part, toPart } from "../../platform/ops/lifecycle.ts";
import { errorTrace, type Log } from "../../platform/ops/log.ts";
import type { SharedTasks } from "../../platform/store/sharedTasks.ts";
import type { MailboxFetcher } from "./fetchMailbox.ts";
import { MailboxError, type MailboxProblem, mailboxProblems, type OpenMailbox } from "./mailbox.ts";

export interface MailboxJobDeps {
  readonly open: () => Promise<OpenMailbox>;
  readonly fetcher: Pick<MailboxFetcher, "run">;
  /** Lets one process at a time fetch. */
  readonly tasks: Pick<SharedTasks, "run">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The interval at which a process asks whether the one that fetches has ended. */
export const takeOverMs = 15_000;
/** The time after a failure, which doubles up to the longest; a session of a minute begins anew. */
const firstPauseMs = 5_000;
const longestPauseMs = 5 * minuteMs;
/** Providers lock accounts after many wrong passwords. */
const pauseAfterRefusalMs = 10 * minuteMs;

/**
 * Creates the part that fetches mail from a mailbox while the server runs: one session after the other, in one process at a
 * time. What is wrong is logged when it begins and when it ends.
 */
export const createMailboxJob = ({ open, fetcher, tasks, clock, log }: MailboxJobDeps): Part =>
  toPart("mailbox", () => {
    let isStopped = false;
    let endPause = (): void => {};
    let current: OpenMailbox | null = null;
    let logged: MailboxProblem | "other" | null = null;
    let failures = 0;

    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const waiting = timer(ms, clock.scheduler).subscribe(() => resolve());
        endPause = () => {
          waiting.unsubscribe();
          resolve();
        };
        if (isStopped) endPause();
      });

    const session = async (): Promise<void> => {
      if (isStopped) return;
      const mailbox = await open();
      current = mailbox;
      const began = clock.now();
      if (logged !== null) log.info("the mailbox can be read again");
      logged = null;
      try {
        await fetcher.run(mailbox, () => isStopped);
      } finally {
        if (clock.now() - began > minuteMs) failures = 0;
        current = null;
        mailbox.close();
      }
    };

    const reportFailure = (error: unknown): void => {
      const problem = error instanceof MailboxError ? error.problem : "other";
      if (problem === logged) return;
      logged = problem;
      if (problem === "other")
        log.error({ error: errorTrace(error) }, "fetching mail from the mailbox failed");
      else log.warn({ problem, advice: mailboxProblems[problem].advice }, mailboxProblems[problem].is);
    };

    const pauseAfter = (error: unknown): number => {
      failures += 1;
      if (error instanceof MailboxError && error.problem === "refused-login") return pauseAfterRefusalMs;
      return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
    };

    const fetchAll = async (): Promise<void> => {
      while (!isStopped) {
        let nextMs = takeOverMs;
        try {
          await tasks.run({ name: "fetching the mailbox", everyMs: 0, run: session });
        } catch (error) {
          if (isStopped) return;
          reportFailure(error);
          nextMs = pauseAfter(error);
        }
        await pause(nextMs);
      }
    };

    const fetching = fetchAll();
    return () => {
      isStopped = true;
      endPause();
      // A mail that is on its way into the store is not cut off; the next start removes it from the mailbox.
      current?.close();
      return fetching;
    };
  });
