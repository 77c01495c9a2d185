import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, orGone } from "../kernel/failure.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { deleteMaskSender, listMaskSenders, putMaskSender } from "./senderEndpoints.ts";

/** The senders that a mask always accepts, and those that it refuses. */
export interface ListedSenders {
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/** The lists of senders of the user's masks. */
export interface MaskSenders {
  readonly load: (maskId: string) => TE.TaskEither<Problem, ListedSenders>;
  /** Removes a sender from its list; succeeds when it is on none. */
  readonly remove: (maskId: string, sender: string) => TE.TaskEither<Problem, void>;
  /**
   * Has a mask refuse the mail of an address or a domain from now on. The toast takes that back, and then
   * `onUndone` is called.
   */
  readonly block: (maskId: string, sender: string, onUndone?: () => void) => TE.TaskEither<Problem, void>;
  /** Has a mask take the mail of a blocked address or domain again, with a toast. */
  readonly unblock: (maskId: string, sender: string) => TE.TaskEither<Problem, void>;
}

const toListProblem = problemOf({ page: "Failed to load the allowed and blocked senders" });
const toBlockProblem = problemOf({ page: "Failed to block the sender" });
const toUnblockProblem = problemOf({ page: "Failed to unblock the sender" });
const toRemoveProblem = problemOf({ page: "Failed to remove the sender" });

export interface MaskSendersDeps {
  readonly call: Call;
  readonly toast: ShowToast;
}

export const createMaskSenders = ({ call, toast }: MaskSendersDeps): MaskSenders => {
  const takeOff = (maskId: string, sender: string): TE.TaskEither<Failure, unknown> =>
    orGone(call(deleteMaskSender)({ params: { id: maskId, sender } }));
  const put = (maskId: string, sender: string, list: "allow" | "block") =>
    call(putMaskSender)({ params: { id: maskId, sender }, body: { list } });
  const sayTaken = (sender: string): void => toast("success", `Mail from ${sender} is taken again`);

  const undo = (maskId: string, sender: string, before: "allow" | null, onUndone: () => void): void =>
    startTask(
      pipe(
        before === null ? takeOff(maskId, sender) : put(maskId, sender, before),
        TE.match(
          (failure) => toast("error", toUnblockProblem(failure).message),
          () => {
            sayTaken(sender);
            onUndone();
          },
        ),
      ),
    );

  return {
    load: (maskId) => pipe(call(listMaskSenders)({ params: { id: maskId } }), TE.mapLeft(toListProblem)),
    remove: (maskId, sender) =>
      pipe(
        takeOff(maskId, sender),
        TE.bimap(toRemoveProblem, () => undefined),
      ),
    block: (maskId, sender, onUndone = () => {}) =>
      pipe(
        put(maskId, sender, "block"),
        TE.bimap(toBlockProblem, ({ before }) => {
          if (before === "block") return toast("info", `Mail from ${sender} is refused already`);
          toast("success", `Mail from ${sender} is refused now`, {
            label: "Undo",
            run: () => undo(maskId, sender, before, onUndone),
          });
        }),
      ),
    unblock: (maskId, sender) =>
      pipe(
        takeOff(maskId, sender),
        TE.bimap(toUnblockProblem, () => sayTaken(sender)),
      ),
  };
};
