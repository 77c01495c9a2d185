import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type * as t from "io-ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { fieldErrorsOf } from "./fieldErrors.ts";

/** What was typed, checked before anything is sent; else `invalid`, with a sentence for each field. */
export const decoded = <A, O>(codec: t.Type<A, O, unknown>, typed: unknown): TE.TaskEither<Failure, A> =>
  pipe(
    codec.decode(typed),
    E.mapLeft((errors) => invalid(fieldErrorsOf(errors))),
    TE.fromEither,
  );
