import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { type Cache, createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { Mask, type MaskId, statisticsOf } from "./mask.ts";
import type { MaskGateway } from "./maskGateway.ts";
import type { MaskStatistics } from "./maskStatistics.ts";
import type { MaskStore } from "./maskStore.ts";

/** The user's masks as last seen; they count as fresh for 120 s (RQ4). */
export type MaskCache = Cache<readonly Mask[]>;

export const createMaskCache = (store: Store, clock: Clock): MaskCache =>
  createCache(store, clock, storedKeys.cachedMasks, t.readonlyArray(Mask));

/** The server has answered definitively, so cached data must not replace its answer. */
const isFinalAnswer = (failure: Failure): boolean => failure.kind === "refused" && failure.status < 500;

/** Loads masks and falls back to the store or the cache when the server cannot be reached (MA7). */
export interface MaskLoader {
  readonly list: () => TE.TaskEither<Problem, void>;
  /** Fetches one mask once; false when a change made meanwhile requires another fetch. */
  readonly tryRefetch: (id: MaskId) => Promise<boolean>;
  /**
   * Fetches one mask until the answer is newer than every change made in this tab; false when a fetch fails.
   */
  readonly refetch: (id: MaskId) => Promise<boolean>;
  readonly get: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
}

interface MaskLoaderDeps {
  readonly gateway: MaskGateway;
  readonly maskStore: MaskStore;
  /** The last list that the current user has seen, however old it is. */
  readonly getCachedMasks: () => readonly Mask[] | null;
}

export const createMaskLoader = ({ gateway, maskStore, getCachedMasks }: MaskLoaderDeps): MaskLoader => {
  const getKnownMasks = (): readonly Mask[] | null => {
    const { status, masks } = maskStore.snapshot$.value;
    return status === "ready" || status === "stale" ? masks : getCachedMasks();
  };
  const findKnownMask = (id: MaskId): Mask | undefined => getKnownMasks()?.find((mask) => mask.id === id);
  const orKnownMask =
    <A>(id: MaskId, project: (mask: Mask) => A) =>
    (failure: Failure): E.Either<Failure, A> => {
      const mask = isFinalAnswer(failure) ? undefined : findKnownMask(id);
      return mask ? E.right(project(mask)) : E.left(failure);
    };
  const refetch = (id: MaskId): Promise<boolean> => {
    const since = maskStore.takeRevision();
    return gateway
      .read(id, "quietly")()
      .then((result) => E.isRight(result) && (maskStore.setOne(id, result.right, since) || refetch(id)));
  };
  return {
    refetch,
    list: () => () => {
      const since = maskStore.takeRevision();
      return pipe(
        gateway.list(),
        TE.map((masks) => maskStore.setAll(masks, since)),
        TE.mapLeft((failure) => {
          maskStore.setUnreachable(getKnownMasks(), errorMessage("listMasks", failure), since);
          return problemOf("listMasks")(failure);
        }),
      )();
    },
    tryRefetch: (id) => {
      const since = maskStore.takeRevision();
      return gateway
        .read(id)()
        .then((result) => {
          if (E.isRight(result)) return maskStore.setOne(id, result.right, since);
          return isRefused(result.left, 404) ? maskStore.setOne(id, null, since) : true;
        });
    },
    get: (id) =>
      pipe(
        gateway.read(id),
        TE.orElse((failure) => TE.fromEither(orKnownMask(id, (mask) => mask)(failure))),
        TE.mapLeft(problemOf("getMask")),
      ),
    statistics: (id) =>
      pipe(
        gateway.statistics(id),
        TE.orElse((failure) => TE.fromEither(orKnownMask(id, statisticsOf)(failure))),
        TE.mapLeft(problemOf("getMaskStatistics")),
      ),
  };
};
