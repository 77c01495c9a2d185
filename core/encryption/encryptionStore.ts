import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
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
import { plainText, type Store, type StoredItem } from "../storage/store.ts";
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

/** The statuses of a server without encryption (D12). */
const notOfferedStatuses = [404, 501];

const busyProblem = problemOf({})(busy);

/** Results for a user who has signed out meanwhile are not shown. */
type IsCurrent = () => boolean;

/** The state of the user's keys on the server and on this device. */
export class EncryptionStore {
  readonly snapshot$: State<EncryptionSnapshot>;
  readonly state$: State<EncryptionState>;
  readonly #deps: EncryptionStoreDeps;
  readonly #snapshot$ = createState<EncryptionSnapshot>(emptySnapshot);
  readonly #owner = createOwner();
  readonly #exclusive = createExclusive();
  readonly #keyOwner: StoredItem<string>;

  constructor(deps: EncryptionStoreDeps) {
    this.#deps = deps;
    this.#keyOwner = deps.store.get(storedKeys.keyOwner, plainText);
    this.snapshot$ = this.#snapshot$;
    this.state$ = mapState(this.#snapshot$, (snapshot) => toEncryptionState(snapshot, deps.clock.now()));
  }

  update(change: Partial<EncryptionSnapshot>): void {
    this.#snapshot$.update((snapshot) => ({ ...snapshot, ...change }));
  }

  /** Runs work for the signed-in user; its results are ignored after the user has changed. */
  asOwner<A>(work: Work<A>): UseCase<A> {
    return deferTask(() => {
      const email = this.#owner.current();
      return email === null ? TE.left(busyProblem) : work(email, this.#owner.capture());
    });
  }

  /** Runs work like `asOwner`, one at a time; concurrent work fails with `busy`. */
  exclusively<A>(work: Work<A>): UseCase<A> {
    return this.#exclusive.run(this.asOwner(work), busyProblem);
  }

  /** Loads the keys; a browser that cannot store keys has none. Whose keys they are stays known while they cannot be listed. */
  loadDeviceKeys(email: string, isCurrent: IsCurrent): UseCase<void> {
    return pipe(
      this.#deps.keyring.list(email),
      TE.match(
        (refusal) => ({
          deviceKeys: [],
          canHoldKeys: false,
          isKeyringMissing: refusal === "not-loaded",
        }),
        (keys) => ({ deviceKeys: keys, canHoldKeys: true, isKeyringMissing: false }),
      ),
      mapResult((device) => {
        if (isCurrent()) {
          if (device.deviceKeys.length > 0) this.#keyOwner.write(email);
          else if (!device.isKeyringMissing) this.#keyOwner.remove();
          this.update(device);
        }
        return E.right(undefined);
      }),
    );
  }

  loadServerStatus(isCurrent: IsCurrent): UseCase<void> {
    return pipe(
      this.#deps.call(getKeyStatus)({ silent: notOfferedStatuses }),
      TE.map(toServerStatus),
      TE.orElse((failure) =>
        isRefused(failure, ...notOfferedStatuses)
          ? TE.right<Failure, ServerStatus>({ kind: "not-offered" })
          : TE.left(failure),
      ),
      TE.bimap(
        (failure) => {
          const problem = problemOf(failureMessages.status)(failure);
          const { serverStatus } = this.#snapshot$.value;
          if (isCurrent() && (serverStatus.kind === "not-asked" || serverStatus.kind === "failed"))
            this.update({ serverStatus: { kind: "failed", message: problem.message } });
          return problem;
        },
        (serverStatus) => {
          if (!isCurrent()) return;
          this.#showServerStatus(serverStatus);
          if (serverStatus.kind === "on") startTask(this.#loadKeyDetails(isCurrent));
        },
      ),
    );
  }

  refresh(): UseCase<void> {
    return this.#deps.flags.encryption
      ? this.asOwner((email, isCurrent) =>
          pipe(
            this.loadDeviceKeys(email, isCurrent),
            TE.chain(() => this.loadServerStatus(isCurrent)),
          ),
        )
      : TE.fromIO(() => this.update({ serverStatus: { kind: "not-offered" } }));
  }

  /** Follows the signed-in user, and shows what the server announces about the keys. */
  start(): Subscription {
    const { user$, updates$ } = this.#deps;
    const running = user$.subscribe((user) => {
      const email = user?.email ?? null;
      if (email !== this.#owner.current()) this.#changeOwner(email);
      this.update({ isConfigured: user?.keyStatus === "configured" });
    });
    running.add(
      updates$
        .pipe(filter(({ resource }) => resource === "keys"))
        .subscribe((update) => this.#follow(update)),
    );
    return running;
  }

  #changeOwner(email: string | null): void {
    this.#owner.set(email);
    this.#exclusive.release();
    this.#snapshot$.set(emptySnapshot);
    if (email !== null) startTask(this.refresh());
  }

  /** Shows the keys that an update brings; loads them after one that brings none. */
  #follow({ entity }: DataUpdate): void {
    const announced = AnnouncedKeys.decode(entity);
    const isShown = E.isRight(announced) && this.#deps.flags.encryption;
    startTask(isShown ? this.#showAnnounced(announced.right) : this.refresh());
  }

  #showAnnounced({ keys, ...status }: AnnouncedKeys): UseCase<void> {
    return this.asOwner((email, isCurrent) => {
      this.#showServerStatus(toServerStatus(status));
      return pipe(
        this.loadDeviceKeys(email, isCurrent),
        TE.chain(() => this.#showKeyDetails(keys[0], isCurrent)),
      );
    });
  }

  #showServerStatus(serverStatus: ServerStatus): void {
    this.update({
      serverStatus,
      ...(serverStatus.kind === "on" ? {} : { expires: null, isPublished: null }),
    });
  }

  #loadKeyDetails(isCurrent: IsCurrent): UseCase<void> {
    return pipe(
      this.#deps.call(getKeys)(),
      TE.mapLeft(problemOf(failureMessages.keys)),
      TE.chain(({ keys: [key] }) => this.#showKeyDetails(key, isCurrent)),
    );
  }

  #showKeyDetails(key: PublicKey | undefined, isCurrent: IsCurrent): UseCase<void> {
    const show = (details: Partial<EncryptionSnapshot>): void => {
      if (isCurrent()) this.update(details);
    };
    if (key === undefined) return TE.fromIO(() => show({ expires: null, isPublished: null }));
    const isPublished = key.published ?? null;
    show({ isPublished });
    return pipe(
      this.#deps.keyring.examine(key.publicKey),
      TE.bimap(refusalProblem, ({ expires }) => show({ expires, isPublished })),
    );
  }
}
