import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Call } from "../api/call.ts";
import { endpoint } from "../api/endpoint.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { MaskId } from "../masks/mask.ts";

/** The digits of the hash of an address that the source of leaked addresses is told; SHA-1 has 40. */
export const sentHashDigits = 5;

/**
 * Returns how often the address of a mask occurs in known leaks; 404 for a mask of another user and where the operator
 * names no source of leaked addresses, 503 when the source does not answer.
 */
export const getBreaches = endpoint("GET", "/masks/:id/breaches", {
  tokens: "masks:read",
  params: t.type({ id: t.string }),
  answer: t.type({ times: t.number }),
});

/** Looks whether addresses of masks are among known leaked ones. */
export interface BreachCheck {
  /** Returns how often the address of a mask occurs in leaks. */
  readonly check: (id: MaskId) => TE.TaskEither<Problem, number>;
}

const toProblem = problemOf({ page: "The leaks could not be searched" });

/** Creates the check; it is offered only where the configuration has `flags.breachCheck`. */
export const createBreachCheck = ({ call }: { readonly call: Call }): BreachCheck => ({
  check: (id) =>
    pipe(
      call(getBreaches)({ params: { id } }),
      TE.mapLeft(toProblem),
      TE.map(({ times }) => times),
    ),
});
