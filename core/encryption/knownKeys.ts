import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { User } from "../account/user.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import { makeState, mapState, type State } from "../kernel/state.ts";
import { getKeyStatus, getKeys, type KeyStatus } from "../keys/keyEndpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { Store } from "../storage/store.ts";
import { plainText } from "../storage/storedCodecs.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { refusalProblem, said } from "./encryptionSentences.ts";
import {
  type EncryptionState,
  type Knowledge,
  nothingKnown,
  stateOf,
  type ToldStatus,
} from "./encryptionState.ts";

export type Deed<A> = TE.TaskEither<Problem, A>;

/** Work in the name of somebody; `isStill` tells whether they are still the one who is signed in. */
type Work<A> = (email: string, isStill: () => boolean) => Deed<A>;

/** What is known of the user's keys, on the server and on this device. */
export interface KnownKeys {
  readonly known$: State<Knowledge>;
  readonly state$: State<EncryptionState>;
  readonly know: (news: Partial<Knowledge>) => void;
  /** Does something in the user's name; what comes back for somebody who has left meanwhile is nobody's. */
  readonly asOwner: <A>(work: Work<A>) => Deed<A>;
  /** The same for what changes something: one at a time, further ones fail with `busy`. */
  readonly once: <A>(work: Work<A>) => Deed<A>;
  /** Looks what this device holds. */
  readonly look: Work<void>;
  /** Asks the server which key is in use. */
  readonly ask: (isStill: () => boolean) => Deed<void>;
  /** Both. */
  readonly refresh: () => Deed<void>;
  readonly start: () => Subscription;
}

export interface KnownKeysNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly keyring: Pick<Keyring, "list" | "examine">;
  readonly store: Store;
  /** Whether the server says that it encrypts. */
  readonly flags: { readonly encryption: boolean };
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
}

const toldBy = ({ status, fingerprint }: KeyStatus): ToldStatus =>
  status === "configured"
    ? { kind: "on", fingerprint: fingerprint ?? null, isAssumed: false }
    : { kind: "off" };

const busyProblem = problemOf({})(busy);

export const makeKnownKeys = (needs: KnownKeysNeeds): KnownKeys => {
  const { call, clock, keyring } = needs;
  const keyOwner = needs.store.of(storedKeys.keyOwner, plainText);
  const known$ = makeState<Knowledge>(nothingKnown);
  const state$ = mapState(known$, (known) => stateOf(known, clock.now()));
  let owner: string | null = null;
  let isRunning = false;

  const know = (news: Partial<Knowledge>): void => known$.update((known) => ({ ...known, ...news }));

  const asOwner: KnownKeys["asOwner"] = (work) => () => {
    const asking = owner;
    return asking !== null ? work(asking, () => owner === asking)() : TE.left(busyProblem)();
  };
  const once: KnownKeys["once"] = (work) => () => {
    if (isRunning) return TE.left(busyProblem)();
    isRunning = true;
    return asOwner(work)().finally(() => {
      isRunning = false;
    });
  };
  /** A browser that cannot hold keys holds none. */
  const look: KnownKeys["look"] = (email, isStill) =>
    pipe(
      keyring.list(email),
      TE.match(
        () => ({ held: [], canHoldKeys: false }),
        (keys) => ({ held: keys, canHoldKeys: true }),
      ),
      (task) => () =>
        task().then((device) => {
          if (!isStill()) return E.right(undefined);
          if (device.held.length > 0) keyOwner.write(email);
          else keyOwner.remove();
          know(device);
          return E.right(undefined);
        }),
    );
  /** When the key in use ends, as it says itself, and who can ask for it. */
  const lookAtKey = (isStill: () => boolean): Deed<void> =>
    pipe(
      call(getKeys)(),
      TE.mapLeft(problemOf(said.keys)),
      TE.chain(({ keys: [key] }) => {
        if (key === undefined) return TE.right({ expires: null, isPublished: null });
        const isPublished = key.published ?? null;
        if (isStill()) know({ isPublished });
        return pipe(
          keyring.examine(key.publicKey),
          TE.bimap(refusalProblem, ({ expires }) => ({ expires, isPublished })),
        );
      }),
      TE.map((known) => (isStill() ? know(known) : undefined)),
    );
  const ask: KnownKeys["ask"] = (isStill) =>
    pipe(
      call(getKeyStatus)({ quiet: true }),
      TE.map(toldBy),
      TE.orElse((failure) =>
        isRefused(failure, 404, 501)
          ? TE.right<Failure, ToldStatus>({ kind: "not-offered" })
          : TE.left(failure),
      ),
      TE.bimap(
        (failure) => {
          const problem = problemOf(said.status)(failure);
          const { told } = known$.value;
          if (isStill() && (told.kind === "not-asked" || told.kind === "failed"))
            know({ told: { kind: "failed", sentence: problem.sentence } });
          return problem;
        },
        (told) => {
          if (!isStill()) return;
          know({ told, ...(told.kind === "on" ? {} : { expires: null, isPublished: null }) });
          if (told.kind === "on") void lookAtKey(isStill)();
        },
      ),
    );
  const refresh: KnownKeys["refresh"] = () =>
    needs.flags.encryption
      ? asOwner((email, isStill) =>
          pipe(
            look(email, isStill),
            TE.chain(() => ask(isStill)),
          ),
        )
      : () => {
          know({ told: { kind: "not-offered" } });
          return TE.right(undefined)();
        };

  const changeOwner = (email: string | null): void => {
    owner = email;
    isRunning = false;
    known$.set(nothingKnown);
    if (email !== null) void refresh()();
  };

  return {
    known$,
    state$,
    know,
    asOwner,
    once,
    look,
    ask,
    refresh,
    start: () => {
      const running = new Subscription();
      running.add(
        needs.user$.subscribe((user) => {
          const email = user?.email ?? null;
          if (email !== owner) changeOwner(email);
        }),
      );
      running.add(
        needs.updates$.pipe(filter(({ resource }) => resource === "keys")).subscribe(() => void refresh()()),
      );
      return running;
    },
  };
};
