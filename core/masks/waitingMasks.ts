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

/** The result of a round of sending. */
interface Round {
  readonly made: number;
  /** True if masks are left that another attempt may make. */
  readonly isUnfinished: boolean;
}

const refusalText = (failure: Failure): string =>
  fieldErrors(failure)
    .map(({ message }) => message)
    .join(" ") || errorMessage("createMask", failure);

/** True if the server may have made the mask nevertheless: it gave no answer, or failed. */
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

type WaitingList = ReturnType<typeof createList>;

const bodyOf = (draft: MaskDraft, { plan$ }: Pick<Masks, "plan$">) =>
  toNewMask(draft, { kind: "plain" }, mayChoosePrefix(plan$.value.tier));

/** Sends the waiting masks one after the other when the server can be reached, in one tab at a time. */
class WaitingMaskSender {
  readonly #deps: WaitingMasksDeps;
  readonly #list: WaitingList;
  #isSending = false;
  #attempts = 0;
  #running = Subscription.EMPTY;
  #timer = Subscription.EMPTY;

  constructor(deps: WaitingMasksDeps, list: WaitingList) {
    this.#deps = deps;
    this.#list = list;
  }

  start(): Subscription {
    const { masks, online$ } = this.#deps;
    this.#running = new Subscription(() => {
      this.#timer.unsubscribe();
      masks.setWaiting(0);
    });
    this.#running.add(this.#list.list$.subscribe(({ length }) => masks.setWaiting(length)));
    this.#running.add(backOnline(online$).subscribe(() => this.send()));
    this.send();
    return this.#running;
  }

  send(): void {
    const { tabs, online$ } = this.#deps;
    if (this.#isSending || this.#running.closed || !online$.value) return;
    if (nextToSend(this.#list.read()) === undefined) return;
    this.#isSending = true;
    this.#timer.unsubscribe();
    pipe(
      (): Promise<Round> =>
        tabs.runExclusive(lockName, { maxWaitMs: waitAtMostMs }, () => runTask(this.#sendFrom(0))),
      onEnd(() => {
        this.#isSending = false;
      }),
      T.map((round) => this.#finish(round)),
      startTask,
    );
  }

  /** Sends one mask after the other; `made` counts those before. */
  #sendFrom(made: number): T.Task<Round> {
    const { online$, owner, masks } = this.#deps;
    const { read, change } = this.#list;
    return deferTask(() => {
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
        this.#refuse(next, refusalText(failure));
        return this.#sendFrom(made);
      };
      const onMade = (mask: Mask): T.Task<Round> => {
        if (owner() !== sender) return T.of({ made, isUnfinished: false });
        masks.insert(mask);
        change((list) => withoutWaiting(list, next.id));
        return this.#sendFrom(made + 1);
      };
      return pipe(this.#post(next), chainResult(E.match(onFailure, onMade)));
    });
  }

  #post({ id, draft }: WaitingMask): TE.TaskEither<Failure, Mask> {
    const { call, masks } = this.#deps;
    return pipe(
      TE.fromEither(bodyOf(draft, masks)),
      TE.chain((body) => call(postMask)({ body: { ...body, metadata: { requestId: id } }, silent: true })),
    );
  }

  #refuse({ id, draft }: WaitingMask, refusal: string): void {
    this.#list.change((list) => markMaskNotMade(list, id, refusal));
    this.#deps.toast("error", `"${draft.description.trim()}" was not created: ${refusal}`);
  }

  #finish({ made, isUnfinished }: Round): void {
    const { toast, random, clock } = this.#deps;
    if (made > 0)
      toast(
        "success",
        made === 1
          ? "Mask created successfully. Its address is in the list."
          : `${made} masks created successfully. Their addresses are in the list.`,
      );
    this.#attempts = isUnfinished && made === 0 ? this.#attempts + 1 : 0;
    if (!isUnfinished || this.#running.closed) return;
    const delay = attemptDelayMs(Math.max(1, this.#attempts), attemptEachMs, random.fraction());
    this.#timer.unsubscribe();
    this.#timer = clock.scheduler.schedule(() => this.send(), delay);
  }
}

export const createWaitingMasks = (
  deps: WaitingMasksDeps,
): WaitingMasks & { readonly start: () => Subscription } => {
  const { random, masks, online$, toast } = deps;
  const list = createList(deps);
  const { read, change, list$ } = list;
  const sender = new WaitingMaskSender(deps, list);

  const keep = (draft: MaskDraft): TE.TaskEither<Problem, null> =>
    deferTask(() => {
      const checked = bodyOf(draft, masks);
      if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
      const id = randomHex(random, 16);
      if (!change((list) => [...list, { id, draft: toStoredDraft(draft) }]))
        return TE.left(toProblem(unavailable(storageFull)));
      toast("info", "The mask waits for a connection: the server chooses the address.");
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
        const checked = bodyOf(draft, masks);
        if (E.isLeft(checked)) return TE.left(toProblem(checked.left));
        change((list) => editWaiting(list, id, toStoredDraft(draft)));
        sender.send();
        return TE.right(null);
      }),
    sendAgain: (id) => {
      const mask = read().find((one) => one.id === id);
      if (mask === undefined || !isOpenToChange(mask)) return;
      change((list) => markMaskNotMade(list, id));
      sender.send();
    },
    remove: (id) => {
      change((list) => removeWaiting(list, id));
    },
    start: () => sender.start(),
  };
};
