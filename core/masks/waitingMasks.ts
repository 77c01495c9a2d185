import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { unavailable } from "../kernel/failure.ts";
import { combineState, type State } from "../kernel/state.ts";
import { deferTask, mapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { randomHex } from "../ports/random.ts";
import type { Store } from "../storage/store.ts";
import type { Mask, MaskId } from "./mask.ts";
import { type MaskDraft, type MaskOrigin, toStoredDraft } from "./maskDraft.ts";
import { putMask } from "./maskEndpoints.ts";
import type { KeptEdits, Masks } from "./masks.ts";
import {
  addChange,
  createShowChanges,
  markChangeRefused,
  type ReplacedEdit,
  removeChange,
  toEdit,
  type WaitingChange,
  withoutRefused,
} from "./waitingChange.ts";
import { createWaitingList, type WaitingList } from "./waitingList.ts";
import {
  editWaiting,
  isOpenToChange,
  markMaskNotMade,
  removeWaiting,
  type WaitingMask,
} from "./waitingMask.ts";
import { bodyOf, WaitingSender, type WaitingSenderDeps } from "./waitingSender.ts";

/**
 * Masks and changes of masks that are made without a connection: kept on this device, and sent once when the server can be
 * reached.
 */
export interface WaitingMasks {
  readonly list$: State<readonly WaitingMask[]>;
  readonly changes$: State<readonly WaitingChange[]>;
  /** The edits that have replaced those of another device, until they are dismissed. */
  readonly replaced$: State<readonly ReplacedEdit[]>;
  readonly online$: State<boolean>;
  /** Creates a mask; without a connection keeps it, and succeeds with null. */
  readonly create: (draft: MaskDraft, origin?: MaskOrigin) => TE.TaskEither<Problem, Mask | null>;
  /** Changes a waiting mask, and sends it as soon as possible; an invalid draft fails. */
  readonly edit: (id: string, draft: MaskDraft) => TE.TaskEither<Problem, Mask | null>;
  /** Sends a refused mask or change once more. */
  readonly sendAgain: (id: string) => void;
  readonly remove: (id: string) => void;
  /** Drops a change that the server has refused, or that was not sent. */
  readonly removeChange: (id: MaskId) => void;
  readonly dismissReplaced: (replaced: ReplacedEdit) => void;
  /** Puts back what another device has set. */
  readonly takeTheirs: (replaced: ReplacedEdit) => TE.TaskEither<Problem, Mask>;
}

export interface WaitingMasksDeps extends WaitingSenderDeps {
  readonly store: Store;
  readonly masks: Pick<Masks, "create" | "insert" | "upsert" | "find" | "plan$" | "setKept">;
  readonly user$: Observable<unknown>;
}

/** Returns the problem of what the storage of the browser has no room for, and says so, as with a refused request. */
const storageFull = (toast: ShowToast, what: string): Problem => {
  const message = `This browser cannot keep the ${what}. Free some space and try again.`;
  toast("error", message);
  return problemOf({ page: message })(unavailable("storage"));
};

const toProblem = problemOf("createMask");

/** Keeps the edits of masks that cannot be sent now, and shows the masks with them. */
const createKeptEdits = (deps: WaitingMasksDeps, list: WaitingList, sender: WaitingSender) => {
  const { masks, online$, toast } = deps;
  const show = createShowChanges();
  const keep: KeptEdits["keep"] = (id, body, isLost = false) => {
    const mask = masks.find(id);
    const waiting = list.read().changes.find((one) => one.id === id);
    const isSending = waiting !== undefined && waiting.refusal === undefined;
    if (mask === undefined || (online$.value && !isSending && !isLost)) {
      if (waiting) list.changeChanges((changes) => withoutRefused(changes, id, body));
      return undefined;
    }
    return deferTask(() => {
      if (!list.changeChanges((changes) => addChange(changes, mask, body)))
        return TE.left(storageFull(toast, "change"));
      const changes = list.read().changes.filter((one) => one.id === id);
      if (!online$.value && changes.length > 0) toast("info", "The change waits for a connection.");
      sender.send();
      return TE.right(show([mask], changes)[0] ?? mask);
    });
  };
  return combineState(
    [list.list$, list.changes$, sender.replaced$],
    (made, changes, replaced): KeptEdits => ({
      keep,
      apply: changes.length > 0 ? (all) => show(all, changes) : undefined,
      count: made.length + changes.length + replaced.length,
    }),
  );
};

export const createWaitingMasks = (
  deps: WaitingMasksDeps,
): WaitingMasks & { readonly start: () => Subscription } => {
  const { random, masks, online$, toast } = deps;
  const list = createWaitingList(deps);
  const { read, change, changeChanges, list$, changes$ } = list;
  const sender = new WaitingSender(deps, list);
  const kept$ = createKeptEdits(deps, list, sender);

  const dismissReplaced = (replaced: ReplacedEdit): void =>
    sender.replaced$.update((known) => known.filter((one) => one !== replaced));
  const keep = (draft: MaskDraft): TE.TaskEither<Problem, null> =>
    deferTask(() => {
      const checked = bodyOf(draft, masks);
      if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
      const id = randomHex(random, 16);
      if (!change((list) => [...list, { id, draft: toStoredDraft(draft) }]))
        return TE.left(storageFull(toast, "mask"));
      toast("info", "The mask waits for a connection: the server chooses the address.");
      return TE.right(null);
    });

  return {
    list$,
    changes$,
    replaced$: sender.replaced$,
    online$,
    create: (draft, origin = { kind: "plain" }) =>
      deferTask(
        (): TE.TaskEither<Problem, Mask | null> =>
          online$.value || origin.kind === "suggestion" ? masks.create(draft, origin) : keep(draft),
      ),
    edit: (id, draft) =>
      deferTask(() => {
        const checked = bodyOf(draft, masks);
        if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
        change((list) => editWaiting(list, id, toStoredDraft(draft)));
        sender.send();
        return TE.right(null);
      }),
    sendAgain: (id) => {
      const mask = read().masks.find((one) => one.id === id);
      if (mask && !isOpenToChange(mask)) return;
      if (mask) change((list) => markMaskNotMade(list, id));
      else changeChanges((changes) => markChangeRefused(changes, id));
      sender.send();
    },
    remove: (id) => {
      change((list) => removeWaiting(list, id));
    },
    removeChange: (id) => {
      changeChanges((changes) => removeChange(changes, id));
    },
    dismissReplaced,
    takeTheirs: (replaced) =>
      pipe(
        deps.call(putMask)({ params: { id: replaced.id }, body: toEdit(replaced.theirs) }),
        mapResult(
          E.bimap(problemOf("editMask"), (mask) => {
            masks.upsert(mask);
            dismissReplaced(replaced);
            toast("success", "Mask updated successfully");
            return mask;
          }),
        ),
      ),
    start: () => {
      const running = sender.start();
      running.add(kept$.subscribe(masks.setKept));
      running.add(() => masks.setKept(null));
      return running;
    },
  };
};
