import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";
import { type Cache, makeCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { HeldMasks } from "./heldMasks.ts";
import { Mask, type MaskId, statisticsOf } from "./mask.ts";
import type { MaskGateway } from "./maskGateway.ts";
import type { MaskStatistics } from "./maskStatistics.ts";

/** The user's masks as they were last seen, for 120 s fresh (RQ4). */
export type MaskCache = Cache<readonly Mask[]>;

export const makeMaskCache = (store: Store, clock: Clock): MaskCache =>
  makeCache(store, clock, storedKeys.cachedMasks, t.readonlyArray(Mask));

/** The server has answered and means it: nothing older is better. */
const isVerdict = (failure: Failure): boolean => failure.kind === "refused" && failure.status < 500;

/** Reads of masks, with the cache to fall back on (MA7). */
export interface MaskReading {
  readonly list: () => TE.TaskEither<Problem, void>;
  /** Reads one mask anew; true unless it must be read again because it was changed here meanwhile. */
  readonly again: (id: MaskId) => Promise<boolean>;
  /** Reads one mask anew until what was read is not older than a change made here; false when it cannot be had. */
  readonly anew: (id: MaskId) => Promise<boolean>;
  readonly one: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
}

interface Needs {
  readonly gateway: MaskGateway;
  readonly held: HeldMasks;
  /** The last list seen by the user of this moment, whatever its age. */
  readonly remembered: () => readonly Mask[] | null;
}

export const makeMaskReading = ({ gateway, held, remembered }: Needs): MaskReading => {
  const known = (): readonly Mask[] | null => {
    const { status, masks } = held.holding$.value;
    return status === "ready" || status === "stale" ? masks : remembered();
  };
  const knownMask = (id: MaskId): Mask | undefined => known()?.find((mask) => mask.id === id);
  const orKnown =
    <A>(id: MaskId, project: (mask: Mask) => A) =>
    (failure: Failure): E.Either<Failure, A> => {
      const mask = isVerdict(failure) ? undefined : knownMask(id);
      return mask ? E.right(project(mask)) : E.left(failure);
    };
  const anew = (id: MaskId): Promise<boolean> => {
    const since = held.now();
    return gateway
      .read(id, "quietly")()
      .then((result) => E.isRight(result) && (held.read(id, result.right, since) || anew(id)));
  };
  return {
    anew,
    list: () => () => {
      const since = held.now();
      return pipe(
        gateway.list(),
        TE.map((masks) => held.listed(masks, since)),
        TE.mapLeft((failure) => {
          held.unreachable(known(), sentenceFor("listMasks", failure), since);
          return problemOf("listMasks")(failure);
        }),
      )();
    },
    again: (id) => {
      const since = held.now();
      return gateway
        .read(id)()
        .then((result) => {
          if (E.isRight(result)) return held.read(id, result.right, since);
          return isRefused(result.left, 404) ? held.read(id, null, since) : true;
        });
    },
    one: (id) =>
      pipe(
        gateway.read(id),
        TE.orElse((failure) => TE.fromEither(orKnown(id, (mask) => mask)(failure))),
        TE.mapLeft(problemOf("getMask")),
      ),
    statistics: (id) =>
      pipe(
        gateway.statistics(id),
        TE.orElse((failure) => TE.fromEither(orKnown(id, statisticsOf)(failure))),
        TE.mapLeft(problemOf("getMaskStatistics")),
      ),
  };
};
