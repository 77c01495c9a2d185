import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import { type Failure, unreadable } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import type { Authenticator } from "../ports/authenticator.ts";
import type { PasskeyOfferAnswer } from "../session/passkeyOfferAnswer.ts";
import { authenticatorFailure } from "./authenticatorFailure.ts";
import * as endpoints from "./passkeyEndpoints.ts";

/** The user's passkeys. */
export interface Passkeys {
  /** Newest first; null until they are loaded. */
  readonly view$: State<endpoints.Passkeys | null>;
  /** True if a passkey can be made in this browser, at this address. */
  readonly isSupported: () => boolean;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Makes a passkey and adds it; succeeds with null when the user closes the browser's dialog. */
  readonly add: () => TE.TaskEither<Problem, endpoints.Passkey | null>;
  readonly rename: (id: string, name: string) => TE.TaskEither<Problem, void>;
  /** Removes a passkey with the sessions that it opened; succeeds when it is removed already. */
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
  /** Takes passkeys only from now on, or codes by mail again. */
  readonly setOnly: (only: boolean) => TE.TaskEither<Problem, void>;
  /** Stores the answer to the offer of a passkey in the account. */
  readonly answerOffer: (answer: PasskeyOfferAnswer) => TE.TaskEither<Problem, void>;
}

export interface PasskeysDeps extends CollectionDeps {
  readonly call: Call;
  readonly authenticator: Authenticator;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to load your passkeys" });
const toAddProblem = problemOf({ page: "This browser cannot create a passkey here" });
const toRenameProblem = problemOf({ page: "Failed to rename the passkey" });
const toRemoveProblem = problemOf({ page: "Failed to remove the passkey" });
const toOnlyProblem = problemOf({ page: "Failed to save your choice" });

/** Decodes what an authenticator has made, without the results of extensions, which are no business of the server. */
const decodeMade = (answer: unknown): E.Either<Failure, endpoints.MadePasskey> =>
  pipe(
    endpoints.MadePasskey.decode(answer),
    E.bimap(
      () => unreadable("passkey", ["not what an authenticator answers"]),
      ({ id, rawId, type, response }) => ({ id, rawId, type, response }),
    ),
  );

export const createPasskeys = (deps: PasskeysDeps): Passkeys & { readonly start: () => Subscription } => {
  const { call, authenticator, toast, refreshAccount } = deps;
  const passkeys = new Collection({
    ...deps,
    fetch: call(endpoints.listPasskeys)(),
    items: "passkeys",
    toProblem,
  });

  const make: TE.TaskEither<Failure, endpoints.Passkey | null> = pipe(
    call(endpoints.getPasskeyOptions)(),
    TE.chain(({ options }) =>
      pipe(
        authenticator.load,
        TE.chain((loaded) => loaded.make(options)),
        TE.mapLeft(authenticatorFailure),
      ),
    ),
    TE.chainEitherK(decodeMade),
    TE.chain(
      (body): TE.TaskEither<Failure, endpoints.Passkey | null> => call(endpoints.postPasskey)({ body }),
    ),
    TE.orElse((failure) => (failure.kind === "cancelled" ? TE.right(null) : TE.left(failure))),
  );

  return {
    view$: passkeys.answer$,
    isSupported: authenticator.isSupported,
    refresh: passkeys.refresh,
    add: () =>
      pipe(
        passkeys.request(toAddProblem, make, (made) => {
          if (made !== null) toast("success", "Passkey added");
        }),
        TE.chainFirst((made) => (made === null ? TE.right(undefined) : passkeys.refresh())),
        TE.chainFirst((made) => (made === null ? TE.right(undefined) : refreshAccount())),
      ),
    rename: (id, name) =>
      passkeys.edit(toRenameProblem, call(endpoints.patchPasskey)({ params: { id }, body: { name } })),
    remove: (id) =>
      passkeys.remove(
        id,
        toRemoveProblem,
        call(endpoints.deletePasskey)({ params: { id } }),
        "Passkey removed",
      ),
    setOnly: (only) =>
      pipe(
        passkeys.request(toOnlyProblem, call(endpoints.putPasskeysOnly)({ body: { only } }), (changed) => {
          passkeys.update(() => changed);
          toast("success", only ? "Passkeys are now required" : "Codes by mail work again");
        }),
        TE.map(() => undefined),
      ),
    answerOffer: (answer) =>
      pipe(
        call(endpoints.putPasskeyOffer)({ body: { answer } }),
        TE.mapLeft(toOnlyProblem),
        TE.chain(() => refreshAccount()),
      ),
    start: passkeys.start,
  };
};
