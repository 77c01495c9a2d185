import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import { createOwner } from "../kernel/owner.ts";
import { createExclusive } from "../kernel/singleFlight.ts";
import { createState, mapState, type State } from "../kernel/state.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
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
import { AnnouncedKeys, getKeyStatus, getKeys, type KeyStatus, type PublicKey } from "./keyEndpoints.ts";

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
  readonly loadDeviceKeys: Work<void>;
  readonly loadServerStatus: (isCurrent: () => boolean) => UseCase<void>;
  readonly refresh: () => UseCase<void>;
  readonly start: () => Subscription;
}

export interface EncryptionStoreDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly keyring: Pick<Keyring, "list" | "examine">;
  readonly store: Store;
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
  const owner = createOwner();
  const exclusive = createExclusive();

  const update = (change: Partial<EncryptionSnapshot>): void =>
    snapshot$.update((snapshot) => ({ ...snapshot, ...change }));

  const asOwner: EncryptionStore["asOwner"] = (work) =>
    deferTask(() => {
      const email = owner.current();
      return email === null ? TE.left(busyProblem) : work(email, owner.capture());
    });
  const exclusively: EncryptionStore["exclusively"] = (work) => exclusive.run(asOwner(work), busyProblem);
  /** Loads the keys; a browser that cannot store keys has none. */
  const loadDeviceKeys: EncryptionStore["loadDeviceKeys"] = (email, isCurrent) =>
    pipe(
      keyring.list(email),
      TE.match(
        () => ({ deviceKeys: [], canHoldKeys: false }),
        (keys) => ({ deviceKeys: keys, canHoldKeys: true }),
      ),
      mapResult((device) => {
        if (isCurrent()) {
          if (device.deviceKeys.length > 0) keyOwner.write(email);
          else keyOwner.remove();
          update(device);
        }
        return E.right(undefined);
      }),
    );
  const showKeyDetails = (key: PublicKey | undefined, isCurrent: () => boolean): UseCase<void> => {
    if (key === undefined)
      return TE.fromIO(() => (isCurrent() ? update({ expires: null, isPublished: null }) : undefined));
    const isPublished = key.published ?? null;
    if (isCurrent()) update({ isPublished });
    return pipe(
      keyring.examine(key.publicKey),
      TE.bimap(refusalProblem, ({ expires }) => (isCurrent() ? update({ expires, isPublished }) : undefined)),
    );
  };
  const loadKeyDetails = (isCurrent: () => boolean): UseCase<void> =>
    pipe(
      call(getKeys)(),
      TE.mapLeft(problemOf(failureMessages.keys)),
      TE.chain(({ keys: [key] }) => showKeyDetails(key, isCurrent)),
    );
  const showServerStatus = (serverStatus: ServerStatus): void =>
    update({ serverStatus, ...(serverStatus.kind === "on" ? {} : { expires: null, isPublished: null }) });
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
          showServerStatus(serverStatus);
          if (serverStatus.kind === "on") startTask(loadKeyDetails(isCurrent));
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
      : TE.fromIO(() => update({ serverStatus: { kind: "not-offered" } }));

  /** Shows the keys that an update brings; loads them after one that brings none. */
  const follow = ({ entity }: DataUpdate): void => {
    const announced = AnnouncedKeys.decode(entity);
    const show =
      ({ keys, ...status }: AnnouncedKeys): Work<void> =>
      (email, isCurrent) => {
        showServerStatus(toServerStatus(status));
        return pipe(
          loadDeviceKeys(email, isCurrent),
          TE.chain(() => showKeyDetails(keys[0], isCurrent)),
        );
      };
    startTask(E.isRight(announced) && deps.flags.encryption ? asOwner(show(announced.right)) : refresh());
  };
  const changeOwner = (email: string | null): void => {
    owner.set(email);
    exclusive.release();
    snapshot$.set(emptySnapshot);
    if (email !== null) startTask(refresh());
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
          if (email !== owner.current()) changeOwner(email);
        }),
      );
      subscription.add(deps.updates$.pipe(filter(({ resource }) => resource === "keys")).subscribe(follow));
      return subscription;
    },
  };
};
