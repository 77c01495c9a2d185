import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../api/errorMessages.ts";
import { createState, type State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { HeldMail } from "./heldMail.ts";

/** The decision about several mails. */
export type HeldDecision = "release" | "delete";

/** A mail that stays held, and why. */
export interface HeldFailure {
  readonly mail: HeldMail;
  readonly message: string;
}

/** A decision about several mails. */
export interface HeldBatch {
  /** null while none is under way. */
  readonly progress: {
    readonly decision: HeldDecision;
    readonly done: number;
    readonly total: number;
  } | null;
  /** The mails that the last decision left held. */
  readonly failures: readonly HeldFailure[];
}

interface DecideAllDeps {
  readonly toast: ShowToast;
  readonly decide: (decision: HeldDecision, mail: HeldMail) => TaskEither<Problem, unknown>;
  /** Called when all have a result. */
  readonly onDone: () => void;
}

const countEmails = (count: number): string => (count === 1 ? "1 email" : `${count} emails`);

const doneText = (decision: HeldDecision, count: number): string => {
  switch (decision) {
    case "release":
      return `${countEmails(count)} ${count === 1 ? "is" : "are"} being sent`;
    case "delete":
      return `${countEmails(count)} ${count === 1 ? "was" : "were"} deleted`;
  }
};

const failedText = (decision: HeldDecision, failed: number, total: number): string =>
  `${failed} of ${countEmails(total)} could not be ${decision === "release" ? "sent" : "deleted"}`;

/** True if the next request would fail as this one: there is no connection, or there were too many requests. */
const endsAll = ({ failure }: Problem): boolean =>
  failure.kind === "network" ||
  failure.kind === "timeout" ||
  (failure.kind === "refused" && [401, 429].includes(failure.status));

/** Creates decisions about several mails, made one after the other. */
export const createDecideAll = ({ toast, decide, onDone }: DecideAllDeps) => {
  const batch$ = createState<HeldBatch>({ progress: null, failures: [] });

  const run = (decision: HeldDecision, mails: readonly HeldMail[]): T.Task<void> => {
    const total = mails.length;
    const report = (failures: readonly HeldFailure[]): void => {
      batch$.set({ progress: null, failures });
      const done = total - failures.length;
      if (failures.length > 0) toast("warning", failedText(decision, failures.length, total));
      else toast("success", doneText(decision, done));
      onDone();
    };
    const step = (at: number, failures: readonly HeldFailure[]): T.Task<void> => {
      const mail = mails[at];
      if (mail === undefined) return T.fromIO(() => report(failures));
      batch$.set({ progress: { decision, done: at, total }, failures: [] });
      return pipe(
        decide(decision, mail),
        T.chain((result) => {
          if (E.isRight(result)) return step(at + 1, failures);
          const { message } = result.left;
          const left = endsAll(result.left) ? mails.slice(at) : [mail];
          const next = at + left.length;
          return step(next, [...failures, ...left.map((one) => ({ mail: one, message }))]);
        }),
      );
    };
    return step(0, []);
  };

  return {
    batch$: batch$ as State<HeldBatch>,
    decideAll: (decision: HeldDecision, mails: readonly HeldMail[]): T.Task<void> =>
      deferTask(() =>
        batch$.value.progress !== null || mails.length === 0 ? T.of(undefined) : run(decision, mails),
      ),
  };
};
