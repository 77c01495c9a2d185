import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { errorMessage } from "../api/errorMessages.ts";
import { attemptDelayMs } from "../kernel/attemptDelay.ts";
import { backOnline } from "../kernel/backOnline.ts";
import { type Failure, fieldErrors, isRetryable } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult, onEnd, runTask, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Tabs } from "../ports/tabs.ts";
import { mayChoosePrefix } from "../tiers/tier.ts";
import type { Mask, MaskId } from "./mask.ts";
import { type MaskDraft, toNewMask } from "./maskDraft.ts";
import { getMask, postMask, putMask } from "./maskEndpoints.ts";
import type { Masks } from "./masks.ts";
import {
  markChangeRefused,
  markChangeSaved,
  markChangeSent,
  nextChange,
  type ReplacedEdit,
  replacedBy,
  toEdit,
  toSentChange,
  type WaitingChange,
} from "./waitingChange.ts";
import type { WaitingList } from "./waitingList.ts";
import {
  markMaskNotMade,
  markMaskSent,
  nextToSend,
  type WaitingMask,
  withoutWaiting,
} from "./waitingMask.ts";

export interface WaitingSenderDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly random: Random;
  readonly tabs: Pick<Tabs, "runExclusive">;
  readonly masks: Pick<Masks, "insert" | "upsert" | "plan$">;
  readonly online$: State<boolean>;
  readonly owner: () => string | null;
  readonly toast: ShowToast;
}

const lockName = "waitingMasks";

/** A tab that holds the lock longer than this is suspended or gone. */
const waitAtMostMs = 30_000;

/** The longest time between two attempts. */
const attemptEachMs = 120_000;

/** The result of a round of sending. */
interface Round {
  readonly made: number;
  readonly saved: number;
  /** True if something is left that another attempt may settle. */
  readonly isUnfinished: boolean;
}

const refusalText = (operation: "createMask" | "editMask", failure: Failure): string =>
  fieldErrors(failure)
    .map(({ message }) => message)
    .join(" ") || errorMessage(operation, failure);

/** True if the server may have made the mask nevertheless: it gave no answer, or failed. */
const mayBeMade = (failure: Failure): boolean =>
  isRetryable(failure) && !(failure.kind === "refused" && failure.status < 500);

/** Returns the body that creates a mask, or fails with field errors. */
export const bodyOf = (draft: MaskDraft, { plan$ }: Pick<Masks, "plan$">) =>
  toNewMask(draft, { kind: "plain" }, mayChoosePrefix(plan$.value.tier));

/**
 * What became of one request; "settled" for one that is refused or no longer wanted, "lost" for one that is sent again, "left" for
 * one whose user has signed out.
 */
type Sent = "made" | "saved" | "settled" | "lost" | "left";

const nothingSent = { made: 0, saved: 0 };

/** Sends what waits one after the other when the server can be reached, in one tab at a time: masks, then changes. */
export class WaitingSender {
  readonly replaced$ = createState<readonly ReplacedEdit[]>([]);
  readonly #deps: WaitingSenderDeps;
  readonly #list: WaitingList;
  #isSending = false;
  #attempts = 0;
  #running = Subscription.EMPTY;
  #timer = Subscription.EMPTY;

  constructor(deps: WaitingSenderDeps, list: WaitingList) {
    this.#deps = deps;
    this.#list = list;
  }

  start(): Subscription {
    const { online$ } = this.#deps;
    this.#running = new Subscription(() => {
      this.#timer.unsubscribe();
      this.replaced$.set([]);
    });
    this.#running.add(backOnline(online$).subscribe(() => this.send()));
    this.send();
    return this.#running;
  }

  send(): void {
    const { tabs, online$ } = this.#deps;
    if (this.#isSending || this.#running.closed || !online$.value) return;
    if (this.#next() === null) return;
    this.#isSending = true;
    this.#timer.unsubscribe();
    pipe(
      (): Promise<Round> =>
        tabs.runExclusive(lockName, { maxWaitMs: waitAtMostMs }, () => runTask(this.#sendFrom(nothingSent))),
      onEnd(() => {
        this.#isSending = false;
      }),
      T.map((round) => this.#finish(round)),
      startTask,
    );
  }

  #next(): T.Task<Sent> | null {
    const { masks, changes } = this.#list.read();
    const mask = nextToSend(masks);
    if (mask !== undefined) return this.#make(mask);
    const change = nextChange(changes);
    return change === undefined ? null : this.#save(change);
  }

  /** Sends one after the other; `before` counts those before. */
  #sendFrom(before: typeof nothingSent): T.Task<Round> {
    return deferTask(() => {
      const next = this.#next();
      if (next === null || !this.#deps.online$.value) return T.of({ ...before, isUnfinished: next !== null });
      return pipe(
        next,
        chainResult((sent): T.Task<Round> => {
          if (sent === "left") return T.of({ ...before, isUnfinished: false });
          if (sent === "lost") return T.of({ ...before, isUnfinished: true });
          return this.#sendFrom(sent === "settled" ? before : { ...before, [sent]: before[sent] + 1 });
        }),
      );
    });
  }

  /** Ends with what became of a request, unless the user has changed meanwhile. */
  #settle<A>(
    request: TE.TaskEither<Failure, A>,
    onFailure: (failure: Failure) => Sent,
    onAnswer: (answer: A) => Sent,
  ): T.Task<Sent> {
    const { owner } = this.#deps;
    const sender = owner();
    return pipe(
      request,
      mapResult((answer) => (owner() === sender ? pipe(answer, E.match(onFailure, onAnswer)) : "left")),
    );
  }

  #make(next: WaitingMask): T.Task<Sent> {
    const { masks, toast } = this.#deps;
    const { change } = this.#list;
    return deferTask(() => {
      change((list) => markMaskSent(list, next.id));
      return this.#settle(
        this.#post(next),
        (failure) => {
          if (isRetryable(failure)) {
            if (!mayBeMade(failure)) change((list) => markMaskNotMade(list, next.id));
            return "lost";
          }
          const refusal = refusalText("createMask", failure);
          change((list) => markMaskNotMade(list, next.id, refusal));
          toast("error", `"${next.draft.description.trim()}" was not created: ${refusal}`);
          return "settled";
        },
        (mask) => {
          masks.insert(mask);
          change((list) => withoutWaiting(list, next.id));
          return "made";
        },
      );
    });
  }

  #post({ id, draft }: WaitingMask): TE.TaskEither<Failure, Mask> {
    const { call, masks } = this.#deps;
    return pipe(
      TE.fromEither(bodyOf(draft, masks)),
      TE.chain((body) => call(postMask)({ body: { ...body, metadata: { requestId: id } }, silent: true })),
    );
  }

  #save(next: WaitingChange): T.Task<Sent> {
    const { masks, toast } = this.#deps;
    const { changeChanges } = this.#list;
    return deferTask(() =>
      this.#settle(
        this.#put(next.id),
        (failure) => {
          if (isRetryable(failure)) {
            if (!mayBeMade(failure) && next.sent === undefined)
              changeChanges((list) => markChangeRefused(list, next.id));
            return "lost";
          }
          const refusal = refusalText("editMask", failure);
          changeChanges((list) => markChangeRefused(list, next.id, refusal));
          toast("error", `"${next.name}" was not changed: ${refusal}`);
          return "settled";
        },
        (answer) => {
          if (answer === null) return "settled";
          const { mask, sent } = answer;
          const replaced = replacedBy(sent);
          masks.upsert(mask);
          changeChanges((list) => markChangeSaved(list, sent.requestId, mask));
          if (replaced !== null)
            this.replaced$.update((known) => [...known.filter(({ id }) => id !== replaced.id), replaced]);
          return "saved";
        },
      ),
    );
  }

  /** Sends a change as it waits when it is known what the server has; null for one that is discarded meanwhile. */
  #put(id: MaskId) {
    const { call, random } = this.#deps;
    const { read, changeChanges } = this.#list;
    const params = { id };
    return pipe(
      call(getMask)({ params, silent: true }),
      TE.chain((known) => {
        const change = read().changes.find((one) => one.id === id);
        if (change === undefined) return TE.right(null);
        const sent = toSentChange(change, known, randomHex(random, 16));
        changeChanges((list) => markChangeSent(list, sent));
        return pipe(
          call(putMask)({
            params,
            body: toEdit(sent.fields),
            headers: { "x-request-id": sent.requestId },
            silent: true,
          }),
          TE.map((mask) => ({ mask, sent })),
        );
      }),
    );
  }

  #finish({ made, saved, isUnfinished }: Round): void {
    const { toast, random, clock } = this.#deps;
    const texts = [
      ...(made === 1 ? ["Mask created successfully. Its address is in the list."] : []),
      ...(made > 1 ? [`${made} masks created successfully. Their addresses are in the list.`] : []),
      ...(saved === 1 ? ["Mask updated successfully"] : []),
      ...(saved > 1 ? [`${saved} masks updated successfully`] : []),
    ];
    for (const text of texts) toast("success", text);
    const isProgress = made + saved > 0;
    this.#attempts = isUnfinished && !isProgress ? this.#attempts + 1 : 0;
    if (!isUnfinished || this.#running.closed) return;
    const delay = attemptDelayMs(Math.max(1, this.#attempts), attemptEachMs, random.fraction());
    this.#timer.unsubscribe();
    this.#timer = clock.scheduler.schedule(() => this.send(), delay);
  }
}
