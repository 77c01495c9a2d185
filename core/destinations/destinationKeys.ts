import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import {
  type DestinationKey,
  type KeySearchRefusal,
  keySearchRefusals,
  listDestinationKeys,
  type OfferedKey,
  searchDestinationKey,
} from "./destinationKeyEndpoints.ts";

const messages: Readonly<Record<KeySearchRefusal, string>> = {
  "no-server": "The domain of this address publishes no keys.",
  "no-key": "No key is published for this address.",
  status: "The key server of this domain does not answer as it should",
  timeout: "The key server of this domain did not answer in time. Try again later.",
  certificate: "The key server of this domain has no valid certificate, so it is not believed.",
  "private-network": "The key server of this domain is in a private network.",
  unreachable: "The key server of this domain cannot be reached. Try again later.",
  "too-large": "The key server sent too much. Paste the key here instead.",
  "not-a-key": "What the key server sent is not a public key.",
  "other-address": "The key server sent a key that does not belong to this address.",
  expired: "A key is published for this address, but it has expired.",
  revoked: "A key is published for this address, but it is revoked.",
  "cannot-encrypt": "A key is published for this address, but mail cannot be encrypted to it.",
  weak: "A key is published for this address, but it is too weak.",
  unusable: "A key is published for this address, but it cannot be used.",
};

/** Returns the sentence for a search without a key; `status` is that of HTTP, where the key server's answer was odd. */
const refusalMessage = (refusal: string | null, status: number | undefined): string => {
  const known = keySearchRefusals.find((one) => one === refusal) ?? "unusable";
  return known === "status" ? `${messages.status} (${status ?? "unknown"}).` : messages[known];
};

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
