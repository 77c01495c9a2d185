import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { merge, type Observable, Subject, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import { attemptDelayMs } from "../kernel/attemptDelay.ts";
import { backOnline } from "../kernel/backOnline.ts";
import { type Failure, fieldErrors, isRetryable, unavailable } from "../kernel/failure.ts";
import { type State, watchState } from "../kernel/state.ts";
import { chainResult, deferTask, onEnd, runTask, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Tabs } from "../ports/tabs.ts";
import { decodeChanged } from "../storage/decodeChanged.ts";
import { json, plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { mayChoosePrefix } from "../tiers/tier.ts";
import type { Mask } from "./mask.ts";
import { type MaskDraft, type MaskOrigin, toNewMask, toStoredDraft } from "./maskDraft.ts";
import { postMask } from "./maskEndpoints.ts";
import type { Masks } from "./masks.ts";
import {
  editWaiting,
  isOpenToChange,
  markMaskNotMade,
  markMaskSent,
  nextToSend,
  removeWaiting,
  StoredWaitingMasks,
  type WaitingMask,
  withoutWaiting,
} from "./waitingMask.ts";

/** Masks that are made without a connection: kept on this device, and made once when the server can be reached. */
export interface WaitingMasks {
  readonly list$: State<readonly WaitingMask[]>;
  readonly online$: State<boolean>;
  /** Creates a mask; without a connection keeps it, and succeeds with null. */
  readonly create: (draft: MaskDraft, origin?: MaskOrigin) => TE.TaskEither<Problem, Mask | null>;
  /** Changes a waiting mask, and sends it as soon as possible; an invalid draft fails. */
  readonly edit: (id: string, draft: MaskDraft) => TE.TaskEither<Problem, Mask | null>;
  /** Sends a refused mask once more. */
  readonly sendAgain: (id: string) => void;
  readonly remove: (id: string) => void;
}

export interface WaitingMasksDeps {
  readonly call: Call;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tabs: Pick<Tabs, "runExclusive">;
  readonly masks: Pick<Masks, "create" | "insert" | "plan$" | "setWaiting">;
  readonly online$: State<boolean>;
  readonly owner: () => string | null;
  readonly user$: Observable<unknown>;
  readonly toast: ShowToast;
}

const lockName = "waitingMasks";

/** A tab that holds the lock longer than this is suspended or gone. */
const waitAtMostMs = 30_000;

/** The longest time between two attempts. */
const attemptEachMs = 120_000;

const storageFull = "This browser cannot keep the mask. Free some space and try again.";

const toProblem = problemOf("createMask");

/** What a round of sending has done. */
interface Round {
  readonly made: number;
  /** Whether masks are left that another attempt may make. */
  readonly isUnfinished: boolean;
}

const refusalText = (failure: Failure): string =>
  fieldErrors(failure)
    .map(({ message }) => message)
    .join(" ") || errorMessage("createMask", failure);

/** Whether the server may have made the mask nevertheless: it gave no answer, or failed. */
const mayBeMade = (failure: Failure): boolean =>
  isRetryable(failure) && !(failure.kind === "refused" && failure.status < 500);

/** The waiting masks of one user in the storage; each call reads it, because other tabs write it too. */
const createList = ({ store, owner, user$ }: WaitingMasksDeps) => {
  const stored = store.get(storedKeys.waitingMasks, plainText);
  const codec = json(StoredWaitingMasks);
  const decode = decodeChanged(codec);
  const changed$ = new Subject<void>();
  const none: readonly WaitingMask[] = [];
  const read = (): readonly WaitingMask[] => {
    const record = decode(stored.read());
    return record !== null && record.owner === owner() ? record.masks : none;
  };
  const change = (project: (list: readonly WaitingMask[]) => readonly WaitingMask[]): boolean => {
    const user = owner();
    if (user === null) return false;
    const masks = project(read());
    if (masks.length === 0) stored.remove();
    const isStored = masks.length === 0 || stored.write(codec.encode({ owner: user, masks: [...masks] }));
    changed$.next();
    return isStored;
  };
  return { read, change, list$: watchState(read, merge(changed$, stored.changes$, user$)) };
};

export const createWaitingMasks = (
  deps: WaitingMasksDeps,
): WaitingMasks & { readonly start: () => Subscription } => {
  const { call, clock, random, tabs, masks, online$, owner, toast } = deps;
  const { read, change, list$ } = createList(deps);
  let isSending = false;
  let attempts = 0;
  let running = Subscription.EMPTY;
  let timer = Subscription.EMPTY;

  const bodyOf = (draft: MaskDraft) =>
    toNewMask(draft, { kind: "plain" }, mayChoosePrefix(masks.plan$.value.tier));

  const post = ({ id, draft }: WaitingMask): TE.TaskEither<Failure, Mask> =>
    pipe(
      TE.fromEither(bodyOf(draft)),
      TE.chain((body) => call(postMask)({ body: { ...body, metadata: { requestId: id } }, silent: true })),
    );

  const refuse = ({ id, draft }: WaitingMask, refusal: string): void => {
    change((list) => markMaskNotMade(list, id, refusal));
    toast("error", `"${draft.description.trim()}" was not made: ${refusal}`);
  };

  /** Sends one mask after the other; `made` counts those before. */
  const sendFrom = (made: number): T.Task<Round> =>
    deferTask(() => {
      const next = nextToSend(read());
      const sender = owner();
      if (next === undefined || !online$.value) return T.of({ made, isUnfinished: next !== undefined });
      change((list) => markMaskSent(list, next.id));
      const onFailure = (failure: Failure): T.Task<Round> => {
        if (owner() !== sender) return T.of({ made, isUnfinished: false });
        if (isRetryable(failure)) {
          if (!mayBeMade(failure)) change((list) => markMaskNotMade(list, next.id));
          return T.of({ made, isUnfinished: true });
        }
        refuse(next, refusalText(failure));
        return sendFrom(made);
      };
      const onMade = (mask: Mask): T.Task<Round> => {
        if (owner() !== sender) return T.of({ made, isUnfinished: false });
        masks.insert(mask);
        change((list) => withoutWaiting(list, next.id));
        return sendFrom(made + 1);
      };
      return pipe(post(next), chainResult(E.match(onFailure, onMade)));
    });

  const finish = ({ made, isUnfinished }: Round): void => {
    if (made > 0)
      toast(
        "success",
        made === 1
          ? "Mask created successfully. Its address is in the list."
          : `${made} masks created successfully. Their addresses are in the list.`,
      );
    attempts = isUnfinished && made === 0 ? attempts + 1 : 0;
    if (!isUnfinished || running.closed) return;
    const delay = attemptDelayMs(Math.max(1, attempts), attemptEachMs, random.fraction());
    timer.unsubscribe();
    timer = clock.scheduler.schedule(send, delay);
  };

  const send = (): void => {
    if (isSending || running.closed || !online$.value || nextToSend(read()) === undefined) return;
    isSending = true;
    timer.unsubscribe();
    pipe(
      (): Promise<Round> =>
        tabs.runExclusive(lockName, { maxWaitMs: waitAtMostMs }, () => runTask(sendFrom(0))),
      onEnd(() => {
        isSending = false;
      }),
      T.map(finish),
      startTask,
    );
  };

  const keep = (draft: MaskDraft): TE.TaskEither<Problem, null> =>
    deferTask(() => {
      const checked = bodyOf(draft);
      if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
      const id = randomHex(random, 16);
      if (!change((list) => [...list, { id, draft: toStoredDraft(draft) }]))
        return TE.left(toProblem(unavailable(storageFull)));
      toast("info", "The mask waits for a connection. Its address comes from the server.");
      return TE.right(null);
    });

  return {
    list$,
    online$,
    create: (draft, origin = { kind: "plain" }) =>
      deferTask(
        (): TE.TaskEither<Problem, Mask | null> =>
          online$.value || origin.kind === "suggestion" ? masks.create(draft, origin) : keep(draft),
      ),
    edit: (id, draft) =>
      deferTask(() => {
        const checked = bodyOf(draft);
        if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
        change((list) => editWaiting(list, id, toStoredDraft(draft)));
        send();
        return TE.right(null);
      }),
    sendAgain: (id) => {
      const mask = read().find((one) => one.id === id);
      if (mask === undefined || !isOpenToChange(mask)) return;
      change((list) => markMaskNotMade(list, id));
      send();
    },
    remove: (id) => {
      change((list) => removeWaiting(list, id));
    },
    start: () => {
      running = new Subscription(() => {
        timer.unsubscribe();
        masks.setWaiting(0);
      });
      running.add(list$.subscribe(({ length }) => masks.setWaiting(length)));
      running.add(backOnline(online$).subscribe(send));
      send();
      return running;
    },
  };
};
