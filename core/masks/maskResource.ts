import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, type ReadableList } from "../api/leftOut.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { createResource, type Resource } from "../kernel/resource.ts";
import { createState, mapState, type State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult } from "../kernel/task.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Cache } from "../storage/cache.ts";
import { Mask, type MaskId, statisticsOf } from "./mask.ts";
import { getMask, getMaskStatistics, listMasks } from "./maskEndpoints.ts";
import { newestFirst } from "./maskList.ts";
import { masksPerPart } from "./maskQuery.ts";
import type { MaskStatistics } from "./maskStatistics.ts";
import { createSharing, knownIfEqual } from "./sharedParts.ts";

type Masks = readonly Mask[];

interface MaskListAnswer {
  readonly masks: ReadableList<Mask>;
  readonly isMore?: true;
  readonly follows?: string;
  readonly version?: string;
}

/** What is known of a list after some of its parts. */
interface ListSoFar {
  readonly masks: Masks;
  readonly leftOut: number;
  /** The state of the list so far; absent where the server names none, or a later part follows another state. */
  readonly version?: string | undefined;
}

const nothingSoFar: ListSoFar = { masks: [], leftOut: 0 };

/** Returns the state of a list with another part: what it follows must be what was received, whatever changed meanwhile. */
const versionWith = (before: ListSoFar, { follows, version }: MaskListAnswer): string | undefined =>
  before.masks.length === 0 || (follows !== undefined && follows === before.version) ? version : undefined;

/** Names the mask after which the next part begins. */
const afterLast = (masks: Masks): { readonly after?: MaskId } => {
  const last = masks.at(-1);
  return last === undefined ? {} : { after: last.id };
};

const withMask =
  (mask: Mask) =>
  (masks: Masks): Masks =>
    masks.some(({ id }) => id === mask.id)
      ? masks.map((other) => (other.id === mask.id ? mask : other))
      : [mask, ...masks];

/**
 * Returns the newer of two answers: by the last edit, else by counted mails; without an edit time, the received one.
 */
const newerMask = (known: Mask, received: Mask): Mask => {
  if (known.updated === undefined || received.updated === undefined) return received;
  const newer = received.updated < known.updated ? known : received;
  const isCountOlder = statisticsOf(received).totalReceived < statisticsOf(known).totalReceived;
  return { ...newer, statistics: statisticsOf(isCountOlder ? known : received) };
};

/** Returns the masks with one replaced, unless what is known of it is newer, or added at the top. */
export const withNewerMask =
  (mask: Mask) =>
  (masks: Masks): Masks =>
    withMask(newerMask(masks.find(({ id }) => id === mask.id) ?? mask, mask))(masks);

/** Returns the masks without one. */
export const withoutMask =
  (id: MaskId) =>
  (masks: Masks): Masks =>
    masks.filter((mask) => mask.id !== id);

/** The masks of the current user, with what the server and the cache know about each of them (MA7). */
export interface MaskResource extends Resource<Masks> {
  readonly find: (id: MaskId) => Mask | undefined;
  /** The state of the list as the server names it; null unless the masks are those of its last answer without a later change. */
  readonly version$: State<string | null>;
  /** The number of masks of the last list that could not be read. */
  readonly leftOut$: State<number>;
  /** Shows a change that the server has announced; returns false when the masks must be fetched to show it. */
  readonly receive: (update: DataUpdate) => boolean;
  /** Fetches one mask once; false when a change made meanwhile requires another fetch. */
  readonly tryRefetch: (id: MaskId) => TE.TaskEither<Failure, boolean>;
  /** Fetches one mask until the answer is newer than every change made in this tab; false when a fetch fails. */
  readonly refetch: (id: MaskId) => T.Task<boolean>;
  /** Fetches one mask, or returns it as last seen when the server cannot be reached. */
  readonly get: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
}

/** The server has answered definitively, so older data must not replace its answer. */
const isFinalAnswer = (failure: Failure): boolean => failure.kind === "refused" && failure.status < 500;

/** Creates the masks without an owner. The cache is only read here; its writer decides how often. */
export const createMaskResource = (call: Call, cache: Cache<Masks>): MaskResource => {
  const share = createSharing();
  const leftOut$ = createState(0);
  const versions = new WeakMap<Masks, string>();
  /** Fetches the list in parts, and shows the first one at once; once more where the last known mask was deleted meanwhile. */
  const loadParts = (
    keep: (mask: Mask) => Mask,
    before: ListSoFar,
    mayRestart: boolean,
  ): TE.TaskEither<Failure, Masks> =>
    pipe(
      call(listMasks)({ params: { limit: masksPerPart, ...afterLast(before.masks) } }),
      TE.chain((answer: MaskListAnswer) => {
        // Sharing pays where many masks are kept.
        const isLong = answer.isMore || before.masks.length > 0;
        const soFar: ListSoFar = {
          masks: [...before.masks, ...answer.masks.map((mask) => keep(isLong ? share(mask) : mask))],
          leftOut: before.leftOut + leftOutOf(answer.masks).length,
          version: versionWith(before, answer),
        };
        if (answer.isMore && answer.masks.length > 0) {
          resource.preview(soFar.masks);
          return loadParts(keep, soFar, mayRestart);
        }
        leftOut$.set(soFar.leftOut);
        const masks = newestFirst(soFar.masks);
        if (soFar.version !== undefined) versions.set(masks, soFar.version);
        return TE.right(masks);
      }),
      TE.orElse((failure) =>
        mayRestart && before.masks.length > 0 && isRefused(failure, 400)
          ? loadParts(keep, nothingSoFar, false)
          : TE.left(failure),
      ),
    );
  const resource: Resource<Masks> = createResource<Masks>({
    initial: [],
    fetch: deferTask(() => {
      const earlier = new Map(resource.state$.value.value.map((mask) => [mask.id, mask]));
      return loadParts((mask) => knownIfEqual(earlier.get(mask.id), mask), nothingSoFar, true);
    }),
    cache: { read: cache.read },
    showsOldCache: true,
    merge: (known, answer, isNewer) =>
      isNewer()
        ? newestFirst([...known.filter(({ id }) => isNewer(id)), ...answer.filter(({ id }) => !isNewer(id))])
        : answer,
  });
  const find = (id: MaskId): Mask | undefined => resource.state$.value.value.find((mask) => mask.id === id);
  /** Puts a fetched mask where it belongs; an unknown one is added only to a complete list. */
  const takeMask =
    (mask: Mask) =>
    (masks: Masks): Masks => {
      if (masks.some(({ id }) => id === mask.id)) return withMask(mask)(masks);
      return resource.state$.value.status === "ready" ? newestFirst([mask, ...masks]) : masks;
    };
  const orAsLastSeen = <A>(id: MaskId, project: (mask: Mask) => A) =>
    TE.orElse((failure: Failure) => {
      const mask = isFinalAnswer(failure) ? undefined : resource.known()?.find((known) => known.id === id);
      return mask ? TE.right<Failure, A>(project(mask)) : TE.left(failure);
    });
  const receive: MaskResource["receive"] = ({ action, resourceId, entity }) => {
    if (resourceId === undefined || resource.state$.value.status !== "ready") return false;
    if (entity === null) {
      resource.put(withoutMask(resourceId), resourceId);
      return true;
    }
    const mask = E.toUnion(E.mapLeft(() => null)(Mask.decode(entity)));
    // An unknown mask that is not new may have been deleted in this tab meanwhile.
    if (mask?.id !== resourceId || (action !== "created" && !find(resourceId))) return false;
    resource.put((masks) => newestFirst(withNewerMask(mask)(masks)), resourceId);
    return true;
  };
  const refetch: MaskResource["refetch"] = (id) =>
    pipe(
      resource.loadPart(
        id,
        pipe(call(getMask)({ params: { id }, silent: true }), mapResult(E.map(takeMask))),
      ),
      chainResult(
        E.match(
          () => T.of(false),
          (isTaken) => (isTaken ? T.of(true) : refetch(id)),
        ),
      ),
    );
  return {
    ...resource,
    version$: mapState(resource.state$, ({ value }) => versions.get(value) ?? null),
    leftOut$,
    find,
    receive,
    refetch,
    tryRefetch: (id) =>
      resource.loadPart(
        id,
        pipe(
          call(getMask)({ params: { id } }),
          mapResult(
            E.match(
              (failure) => (isRefused(failure, 404) ? E.right(withoutMask(id)) : E.left(failure)),
              (mask) => E.right(takeMask(mask)),
            ),
          ),
        ),
      ),
    get: (id) =>
      pipe(
        call(getMask)({ params: { id } }),
        orAsLastSeen(id, (mask) => mask),
        TE.mapLeft(problemOf("getMask")),
      ),
    statistics: (id) =>
      pipe(
        call(getMaskStatistics)({ params: { id } }),
        orAsLastSeen(id, statisticsOf),
        TE.mapLeft(problemOf("getMaskStatistics")),
      ),
  };
};
