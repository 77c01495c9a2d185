import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, orGone } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { createState, type State } from "../kernel/state.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import { createMaskSenders } from "../senders/senderCommands.ts";
import {
  type Correspondent,
  deleteCorrespondent,
  listCorrespondents,
  postCorrespondent,
} from "./correspondentEndpoints.ts";

/** The correspondents of the mask whose dialog is open. */
export interface CorrespondentsView {
  readonly maskId: MaskId | null;
  /** The latest first; null until they are loaded. */
  readonly list: readonly Correspondent[] | null;
  /** True if older ones are not listed. */
  readonly more: boolean;
}

/** The correspondents of a mask, and first mails from a mask. */
export interface Correspondents {
  readonly view$: State<CorrespondentsView>;
  /** The id of the correspondent whose reverse address was just copied. */
  readonly copied$: State<string | null>;
  /** Shows a mask and loads its correspondents. */
  readonly open: (maskId: MaskId) => TE.TaskEither<Problem, void>;
  /** Gets the reverse address for writing to an address from the shown mask; it becomes the first of the list. */
  readonly write: (address: string) => TE.TaskEither<Problem, Correspondent>;
  /**
   * Has the shown mask refuse the mail of an address or a domain from now on, or take it again; with a toast, which
   * undoes a block.
   */
  readonly setBlocked: (sender: string, isBlocked: boolean) => TE.TaskEither<Problem, void>;
  /** Deletes a correspondent; succeeds when it is already gone. */
  readonly forget: (id: string) => TE.TaskEither<Problem, void>;
  /** Copies a reverse address, with a toast. */
  readonly copy: (correspondent: Correspondent) => TE.TaskEither<Problem, void>;
}

export interface CorrespondentsDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const nothing: CorrespondentsView = { maskId: null, list: null, more: false };

const toListProblem = problemOf({ page: "Failed to load the correspondents" });
const toWriteProblem = problemOf({ page: "Failed to get an address to write to" });
const toForgetProblem = problemOf({ page: "Failed to forget the correspondent" });

/** Creates the list, which is empty until `open` and is cleared when the user changes. */
export const createCorrespondents = ({
  call,
  clock,
  page,
  toast,
  user$,
}: CorrespondentsDeps): Correspondents & { readonly start: () => Subscription } => {
  const view$ = createState(nothing);
  const { copied$, copy } = createCopying<string>({ clock, page, toast });
  const owner = createOwner();

  /** Runs a request about the shown mask; ignores its result when another mask is shown or the user has changed. */
  const request = <A>(
    toProblem: (failure: Failure) => Problem,
    task: (maskId: MaskId) => TE.TaskEither<Failure, A>,
    onSuccess: (value: A) => void,
  ): TE.TaskEither<Problem, A> =>
    deferTask(() => {
      const { maskId } = view$.value;
      return pipe(
        task(maskId ?? ""),
        owner.tap(
          E.match(
            () => {},
            (value) => {
              if (view$.value.maskId === maskId) onSuccess(value);
            },
          ),
        ),
        mapResult(E.mapLeft(toProblem)),
      );
    });
  const without = (id: string): readonly Correspondent[] =>
    view$.value.list?.filter((one) => one.id !== id) ?? [];
  const show = (change: Partial<CorrespondentsView>): void =>
    view$.update((before) => ({ ...before, ...change }));

  const load = pipe(
    request(
      toListProblem,
      (id) => call(listCorrespondents)({ params: { id } }),
      ({ correspondents: list, more }) => show({ list, more }),
    ),
    TE.map(() => undefined),
  );
  const maskSenders = createMaskSenders({ call, toast });

  return {
    view$,
    copied$,
    open: (maskId) =>
      deferTask(() => {
        if (view$.value.maskId !== maskId) view$.set({ ...nothing, maskId });
        return load;
      }),
    write: (address) =>
      request(
        toWriteProblem,
        (id) => call(postCorrespondent)({ params: { id }, body: { address } }),
        (added) => show({ list: [added, ...without(added.id)] }),
      ),
    setBlocked: (sender, isBlocked) =>
      deferTask(() => {
        const maskId = view$.value.maskId ?? "";
        return pipe(
          isBlocked
            ? maskSenders.block(maskId, sender, () => startTask(load))
            : maskSenders.unblock(maskId, sender),
          // One domain refuses several correspondents.
          TE.chain(() => load),
        );
      }),
    forget: (correspondent) =>
      request(
        toForgetProblem,
        (id) => orGone(call(deleteCorrespondent)({ params: { id, correspondent } })),
        () => {
          show({ list: without(correspondent) });
          toast("success", "Correspondent forgotten");
        },
      ),
    copy: ({ id, reverseAddress }) => copy(reverseAddress, id, "Address copied to clipboard"),
    start: () => followUser(owner, user$, () => view$.set(nothing)),
  };
};
