import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, orGone, unreadable } from "../kernel/failure.ts";
import { createOwnedRequest } from "../kernel/ownedRequest.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { createState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
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

export interface PasskeysDeps {
  readonly call: Call;
  readonly authenticator: Authenticator;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toListProblem = problemOf({ page: "Failed to load your passkeys" });
const toAddProblem = problemOf({ page: "This browser cannot make a passkey here" });
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

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createPasskeys = ({
  call,
  authenticator,
  toast,
  user$,
  refreshAccount,
}: PasskeysDeps): Passkeys & { readonly start: () => Subscription } => {
  const view$ = createState<endpoints.Passkeys | null>(null);
  const owner = createOwner();
  const request = createOwnedRequest(owner);
  const done = TE.map((): void => undefined);
  const load = (): TE.TaskEither<Problem, void> =>
    pipe(
      request(toListProblem, call(endpoints.listPasskeys)(), (passkeys) => view$.set(passkeys)),
      done,
    );

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
    view$,
    isSupported: authenticator.isSupported,
    refresh: load,
    add: () =>
      pipe(
        request(toAddProblem, make, (made) => {
          if (made !== null) toast("success", "Passkey added");
        }),
        TE.chainFirst((made) => (made === null ? TE.right(undefined) : load())),
        TE.chainFirst((made) => (made === null ? TE.right(undefined) : refreshAccount())),
      ),
    rename: (id, name) =>
      pipe(
        request(
          toRenameProblem,
          call(endpoints.patchPasskey)({ params: { id }, body: { name } }),
          (renamed) =>
            view$.update(
              (view) =>
                view && { ...view, passkeys: view.passkeys.map((one) => (one.id === id ? renamed : one)) },
            ),
        ),
        done,
      ),
    remove: (id) =>
      pipe(
        request(toRemoveProblem, orGone(call(endpoints.deletePasskey)({ params: { id } })), () =>
          toast("success", "Passkey removed"),
        ),
        TE.chain(load),
      ),
    setOnly: (only) =>
      pipe(
        request(toOnlyProblem, call(endpoints.putPasskeysOnly)({ body: { only } }), (passkeys) => {
          view$.set(passkeys);
          toast("success", only ? "Only passkeys log in now" : "Codes by mail log in again");
        }),
        done,
      ),
    answerOffer: (answer) =>
      pipe(
        call(endpoints.putPasskeyOffer)({ body: { answer } }),
        TE.mapLeft(toOnlyProblem),
        TE.chain(() => refreshAccount()),
      ),
    start: () => followUser(owner, user$, () => view$.set(null)),
  };
};
