import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import { createState, mapState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { failureMessages, refusalProblem } from "./encryptionMessages.ts";
import {
  type EncryptionSnapshot,
  type EncryptionState,
  emptySnapshot,
  type ServerStatus,
  toEncryptionState,
} from "./encryptionState.ts";
import { getKeyStatus, getKeys, type KeyStatus } from "./keyEndpoints.ts";

export type UseCase<A> = TE.TaskEither<Problem, A>;

/** Work for a signed-in user; `isCurrent` checks whether the same user is still signed in. */
type Work<A> = (email: string, isCurrent: () => boolean) => UseCase<A>;

/** The state of the user's keys on the server and on this device. */
export interface EncryptionStore {
  readonly snapshot$: State<EncryptionSnapshot>;
  readonly state$: State<EncryptionState>;
  readonly update: (change: Partial<EncryptionSnapshot>) => void;
  /** Runs work for the signed-in user; its results are ignored after the user has changed. */
  readonly asOwner: <A>(work: Work<A>) => UseCase<A>;
  /** Runs work like `asOwner`, one at a time; concurrent work fails with `busy`. */
  readonly exclusively: <A>(work: Work<A>) => UseCase<A>;
  /** Loads the keys of this device. */
  readonly loadDeviceKeys: Work<void>;
  /** Loads the status from the server. */
  readonly loadServerStatus: (isCurrent: () => boolean) => UseCase<void>;
  /** Loads the keys of this device and the status from the server. */
  readonly refresh: () => UseCase<void>;
  readonly start: () => Subscription;
}

export interface EncryptionStoreDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly keyring: Pick<Keyring, "list" | "examine">;
  readonly store: Store;
  /** Whether the server supports encryption. */
  readonly flags: { readonly encryption: boolean };
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
}

const toServerStatus = ({ status, fingerprint }: KeyStatus): ServerStatus =>
  status === "configured"
    ? { kind: "on", fingerprint: fingerprint ?? null, isAssumed: false }
    : { kind: "off" };

const busyProblem = problemOf({})(busy);

export const createEncryptionStore = (deps: EncryptionStoreDeps): EncryptionStore => {
  const { call, clock, keyring } = deps;
  const keyOwner = deps.store.get(storedKeys.keyOwner, plainText);
  const snapshot$ = createState<EncryptionSnapshot>(emptySnapshot);
  const state$ = mapState(snapshot$, (snapshot) => toEncryptionState(snapshot, clock.now()));
  let owner: string | null = null;
  let isRunning = false;

  const update = (change: Partial<EncryptionSnapshot>): void =>
    snapshot$.update((snapshot) => ({ ...snapshot, ...change }));

  const asOwner: EncryptionStore["asOwner"] = (work) => () => {
    const user = owner;
    return user !== null ? work(user, () => owner === user)() : TE.left(busyProblem)();
  };
  const exclusively: EncryptionStore["exclusively"] = (work) => () => {
    if (isRunning) return TE.left(busyProblem)();
    isRunning = true;
    return asOwner(work)().finally(() => {
      isRunning = false;
    });
  };
  /** Loads the keys; a browser that cannot store keys has none. */
  const loadDeviceKeys: EncryptionStore["loadDeviceKeys"] = (email, isCurrent) =>
    pipe(
      keyring.list(email),
      TE.match(
        () => ({ deviceKeys: [], canHoldKeys: false }),
        (keys) => ({ deviceKeys: keys, canHoldKeys: true }),
      ),
      (task) => () =>
        task().then((device) => {
          if (!isCurrent()) return E.right(undefined);
          if (device.deviceKeys.length > 0) keyOwner.write(email);
          else keyOwner.remove();
          update(device);
          return E.right(undefined);
        }),
    );
  /** Loads the expiration and publication of the key in use. */
  const loadKeyDetails = (isCurrent: () => boolean): UseCase<void> =>
    pipe(
      call(getKeys)(),
      TE.mapLeft(problemOf(failureMessages.keys)),
      TE.chain(({ keys: [key] }) => {
        if (key === undefined) return TE.right({ expires: null, isPublished: null });
        const isPublished = key.published ?? null;
        if (isCurrent()) update({ isPublished });
        return pipe(
          keyring.examine(key.publicKey),
          TE.bimap(refusalProblem, ({ expires }) => ({ expires, isPublished })),
        );
      }),
      TE.map((snapshot) => (isCurrent() ? update(snapshot) : undefined)),
    );
  const loadServerStatus: EncryptionStore["loadServerStatus"] = (isCurrent) =>
    pipe(
      call(getKeyStatus)({ silent: true }),
      TE.map(toServerStatus),
      TE.orElse((failure) =>
        isRefused(failure, 404, 501)
          ? TE.right<Failure, ServerStatus>({ kind: "not-offered" })
          : TE.left(failure),
      ),
      TE.bimap(
        (failure) => {
          const problem = problemOf(failureMessages.status)(failure);
          const { serverStatus } = snapshot$.value;
          if (isCurrent() && (serverStatus.kind === "not-asked" || serverStatus.kind === "failed"))
            update({ serverStatus: { kind: "failed", message: problem.message } });
          return problem;
        },
        (serverStatus) => {
          if (!isCurrent()) return;
          update({
            serverStatus,
            ...(serverStatus.kind === "on" ? {} : { expires: null, isPublished: null }),
          });
          if (serverStatus.kind === "on") void loadKeyDetails(isCurrent)();
        },
      ),
    );
  const refresh: EncryptionStore["refresh"] = () =>
    deps.flags.encryption
      ? asOwner((email, isCurrent) =>
          pipe(
            loadDeviceKeys(email, isCurrent),
            TE.chain(() => loadServerStatus(isCurrent)),
          ),
        )
      : () => {
          update({ serverStatus: { kind: "not-offered" } });
          return TE.right(undefined)();
        };

  const changeOwner = (email: string | null): void => {
    owner = email;
    isRunning = false;
    snapshot$.set(emptySnapshot);
    if (email !== null) void refresh()();
  };

  return {
    snapshot$,
    state$,
    update,
    asOwner,
    exclusively,
    loadDeviceKeys,
    loadServerStatus,
    refresh,
    start: () => {
      const subscription = new Subscription();
      subscription.add(
        deps.user$.subscribe((user) => {
          const email = user?.email ?? null;
          if (email !== owner) changeOwner(email);
        }),
      );
      subscription.add(
        deps.updates$.pipe(filter(({ resource }) => resource === "keys")).subscribe(() => void refresh()()),
      );
      return subscription;
    },
  };
};
