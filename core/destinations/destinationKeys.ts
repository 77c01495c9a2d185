import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import {
  type DestinationKey,
  listDestinationKeys,
  type OfferedKey,
  searchDestinationKey,
} from "./destinationKeyEndpoints.ts";
import { refusalMessage } from "./keySearchMessages.ts";

/** The keys of a destination, and one that its owner may want to use. */
export interface KeysOfDestination {
  readonly keys: readonly DestinationKey[];
  readonly offered: OfferedKey | null;
}

/** The result of a search, or a sentence that says why it has found nothing. */
export type KeySearchResult = { readonly found: OfferedKey } | { readonly message: string };

/** The keys of destinations: those in use, and those that are found for them. */
export interface DestinationKeys {
  readonly load: (id: string) => TE.TaskEither<Problem, KeysOfDestination>;
  /** Asks the domain of a destination for its key; changes nothing. */
  readonly search: (id: string) => TE.TaskEither<Problem, KeySearchResult>;
}

const toLoadProblem = problemOf({ page: "Failed to load the keys of this address" });
const toSearchProblem = problemOf({ page: "Failed to look for a key" });

export const createDestinationKeys = ({ call }: { readonly call: Call }): DestinationKeys => ({
  load: (id) => pipe(call(listDestinationKeys)({ params: { id }, silent: true }), TE.mapLeft(toLoadProblem)),
  search: (id) =>
    pipe(
      call(searchDestinationKey)({ params: { id } }),
      TE.bimap(
        toSearchProblem,
        ({ found, refusal, status }): KeySearchResult =>
          found ? { found } : { message: refusalMessage(refusal, status) },
      ),
    ),
});
