import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import { emailsOf } from "../kernel/owner.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
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
  /** Loads the list again, which a change of the blocked senders has made old. */
  readonly reload: () => void;
  /** Deletes a correspondent; succeeds when it is already gone. */
  readonly forget: (id: string) => TE.TaskEither<Problem, void>;
  /** Copies a reverse address, with a toast. */
  readonly copy: (correspondent: Correspondent) => TE.TaskEither<Problem, void>;
}

export interface CorrespondentsDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
}

const toProblem = problemOf({ page: "Failed to load the correspondents" });
const toWriteProblem = problemOf({ page: "Failed to get an address to write to" });
const toForgetProblem = problemOf({ page: "Failed to forget the correspondent" });

/** Creates the list, which is empty until `open` and forgotten when another mask is shown. */
export const createCorrespondents = (
  deps: CorrespondentsDeps,
): Correspondents & { readonly start: () => Subscription } => {
  const { call } = deps;
  const mask$ = createState<MaskId | null>(null);
  const shown = (): MaskId => mask$.value ?? "";
  const correspondents = new Collection({
    ...deps,
    fetch: deferTask(() => call(listCorrespondents)({ params: { id: shown() } })),
    items: "correspondents",
    toProblem,
  });
  const { copied$, copy } = createCopying<string>(deps);
  return {
    view$: combineState([mask$, correspondents.answer$], (maskId, answer) => ({
      maskId,
      list: answer?.correspondents ?? null,
      more: answer?.more ?? false,
    })),
    copied$,
    open: (maskId) =>
      deferTask(() => {
        if (mask$.value !== maskId) {
          correspondents.forget();
          mask$.set(maskId);
        }
        return correspondents.refresh();
      }),
    write: (address) =>
      correspondents.request(
        toWriteProblem,
        deferTask(() => call(postCorrespondent)({ params: { id: shown() }, body: { address } })),
        (added) => {
          if (correspondents.list$.value === null) correspondents.reload();
          else correspondents.updateList((list) => [added, ...list.filter(({ id }) => id !== added.id)]);
        },
      ),
    reload: correspondents.reload,
    forget: (correspondent) =>
      deferTask(() =>
        correspondents.remove(
          correspondent,
          toForgetProblem,
          call(deleteCorrespondent)({ params: { id: shown(), correspondent } }),
          "Correspondent forgotten",
        ),
      ),
    copy: ({ id, reverseAddress }) => copy(reverseAddress, id, "Address copied to clipboard"),
    start: () => {
      const running = correspondents.start();
      running.add(emailsOf(deps.user$).subscribe(() => mask$.set(null)));
      return running;
    },
  };
};
