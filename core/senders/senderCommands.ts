import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, orGone } from "../kernel/failure.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { SenderList } from "./maskSenders.ts";
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
  /** Has a mask always accept the mail of an address or a domain; the toast takes that back. */
  readonly allow: (maskId: string, sender: string) => TE.TaskEither<Problem, void>;
  /** Has a mask take the mail of a blocked address or domain again, with a toast. */
  readonly unblock: (maskId: string, sender: string) => TE.TaskEither<Problem, void>;
}

const toListProblem = problemOf({ page: "Failed to load the allowed and blocked senders" });
const toUnblockProblem = problemOf({ page: "Failed to unblock the sender" });
const toRemoveProblem = problemOf({ page: "Failed to remove the sender" });

interface ListTexts {
  readonly toProblem: (failure: Failure) => Problem;
  readonly is: string;
  readonly isNoLonger: string;
}

const listTexts: Readonly<Record<SenderList, ListTexts>> = {
  block: {
    toProblem: problemOf({ page: "Failed to block the sender" }),
    is: "is blocked",
    isNoLonger: "is no longer blocked",
  },
  allow: {
    toProblem: problemOf({ page: "Failed to allow the sender" }),
    is: "is always allowed",
    isNoLonger: "is no longer always allowed",
  },
};

export interface MaskSendersDeps {
  readonly call: Call;
  readonly toast: ShowToast;
}

export const createMaskSenders = ({ call, toast }: MaskSendersDeps): MaskSenders => {
  const takeOff = (maskId: string, sender: string): TE.TaskEither<Failure, unknown> =>
    orGone(call(deleteMaskSender)({ params: { id: maskId, sender } }));
  const put = (maskId: string, sender: string, list: SenderList) =>
    call(putMaskSender)({ params: { id: maskId, sender }, body: { list } });

  const add = (
    list: SenderList,
    maskId: string,
    sender: string,
    onUndone: () => void,
  ): TE.TaskEither<Problem, void> => {
    const { toProblem, is, isNoLonger } = listTexts[list];
    const undo = (before: SenderList | null): void =>
      startTask(
        pipe(
          before === null ? takeOff(maskId, sender) : put(maskId, sender, before),
          TE.match(
            (failure) => toast("error", toRemoveProblem(failure).message),
            () => {
              toast("success", `${sender} ${isNoLonger}`);
              onUndone();
            },
          ),
        ),
      );
    return pipe(
      put(maskId, sender, list),
      TE.bimap(toProblem, ({ before }) =>
        before === list
          ? toast("info", `${sender} ${is} already`)
          : toast("success", `${sender} ${is}`, { label: "Undo", run: () => undo(before) }),
      ),
    );
  };

  return {
    load: (maskId) => pipe(call(listMaskSenders)({ params: { id: maskId } }), TE.mapLeft(toListProblem)),
    remove: (maskId, sender) =>
      pipe(
        takeOff(maskId, sender),
        TE.bimap(toRemoveProblem, () => undefined),
      ),
    block: (maskId, sender, onUndone = () => {}) => add("block", maskId, sender, onUndone),
    allow: (maskId, sender) => add("allow", maskId, sender, () => {}),
    unblock: (maskId, sender) =>
      pipe(
        takeOff(maskId, sender),
        TE.bimap(toUnblockProblem, () => toast("success", `${sender} ${listTexts.block.isNoLonger}`)),
      ),
  };
};
