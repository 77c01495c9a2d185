import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, type ReadableList } from "../api/leftOut.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { Resource } from "../kernel/resource.ts";
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

/** The state of a list after some of its parts. */
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

/** The mask is no longer there. */
const isGone = (failure: Failure): boolean => isRefused(failure, 404, 410);

/** The server has answered definitively, so older figures must not replace its answer. */
const isFinalAnswer = (failure: Failure): boolean => failure.kind === "refused" && failure.status < 500;

const mergeMasks = (known: Masks, answer: Masks, isNewer: (key?: string) => boolean): Masks =>
  isNewer()
    ? newestFirst([...known.filter(({ id }) => isNewer(id)), ...answer.filter(({ id }) => !isNewer(id))])
    : answer;

/**
 * The masks of the current user, with what the server and the cache know about each of them (MA7). The cache is only
 * read here; its writer decides how often.
 */
export class MaskResource extends Resource<Masks> {
  /** The state of the list as the server names it; null unless the masks are those of its last answer without a later change. */
  readonly version$: State<string | null>;
  /** The number of masks of the last list that could not be read. */
  readonly leftOut$: State<number>;
  readonly #call: Call;
  readonly #leftOut$ = createState(0);
  readonly #versions = new WeakMap<Masks, string>();
  readonly #share = createSharing();

  constructor(call: Call, cache: Cache<Masks>) {
    super({
      initial: [],
      fetch: deferTask(() => this.#fetchList()),
      cache: { read: cache.read },
      showsOldCache: true,
      merge: mergeMasks,
    });
    this.#call = call;
    this.leftOut$ = this.#leftOut$;
    this.version$ = mapState(this.state$, ({ value }) => this.#versions.get(value) ?? null);
  }

  find(id: MaskId): Mask | undefined {
    return this.state$.value.value.find((mask) => mask.id === id);
  }

  /** Shows a change that the server has announced; returns false when the masks must be fetched to show it. */
  receive({ action, resourceId, entity }: DataUpdate): boolean {
    if (resourceId === undefined || this.state$.value.status !== "ready") return false;
    if (entity === null) {
      this.put(withoutMask(resourceId), resourceId);
      return true;
    }
    const mask = E.toUnion(E.mapLeft(() => null)(Mask.decode(entity)));
    // An unknown mask that is not new may have been deleted in this tab meanwhile.
    if (mask?.id !== resourceId || (action !== "created" && !this.find(resourceId))) return false;
    this.put((masks) => newestFirst(withNewerMask(mask)(masks)), resourceId);
    return true;
  }

  /** Fetches one mask once; false when a change made meanwhile requires another fetch. */
  tryRefetch(id: MaskId): TE.TaskEither<Failure, boolean> {
    return this.loadPart(
      id,
      pipe(
        this.#call(getMask)({ params: { id } }),
        mapResult(
          E.match(
            (failure) => (isRefused(failure, 404) ? E.right(withoutMask(id)) : E.left(failure)),
            (mask) => E.right(this.#withFetched(mask)),
          ),
        ),
      ),
    );
  }

  /** Fetches one mask until the answer is newer than every change made in this tab; false when a fetch fails. */
  refetch(id: MaskId): T.Task<boolean> {
    const fetched = pipe(
      this.#call(getMask)({ params: { id }, silent: true }),
      mapResult(E.map((mask) => this.#withFetched(mask))),
    );
    return pipe(
      this.loadPart(id, fetched),
      chainResult(
        E.match(
          () => T.of(false),
          (isTaken) => (isTaken ? T.of(true) : this.refetch(id)),
        ),
      ),
    );
  }

  /** Fetches one mask, or returns it as last seen when the server does not answer with it; a mask that is gone stays gone. */
  get(id: MaskId): TE.TaskEither<Problem, Mask> {
    return pipe(
      this.#call(getMask)({ params: { id } }),
      this.#orAsLastSeen(id, (mask) => mask, isGone),
      TE.mapLeft(problemOf("getMask")),
    );
  }

  /** Fetches the statistics of one mask, or returns them as last seen when the server cannot be reached. */
  statistics(id: MaskId): TE.TaskEither<Problem, MaskStatistics> {
    return pipe(
      this.#call(getMaskStatistics)({ params: { id } }),
      this.#orAsLastSeen(id, statisticsOf, isFinalAnswer),
      TE.mapLeft(problemOf("getMaskStatistics")),
    );
  }

  #fetchList(): TE.TaskEither<Failure, Masks> {
    const earlier = new Map(this.state$.value.value.map((mask) => [mask.id, mask]));
    return this.#fetchParts((mask) => knownIfEqual(earlier.get(mask.id), mask), nothingSoFar, true);
  }

  /** Fetches the list in parts, and shows the first one at once; once more where the last known mask was deleted meanwhile. */
  #fetchParts(
    keep: (mask: Mask) => Mask,
    before: ListSoFar,
    mayRestart: boolean,
  ): TE.TaskEither<Failure, Masks> {
    return pipe(
      this.#call(listMasks)({ params: { limit: masksPerPart, ...afterLast(before.masks) } }),
      TE.chain((answer: MaskListAnswer) => {
        // Sharing pays where many masks are kept.
        const isLong = answer.isMore || before.masks.length > 0;
        const soFar: ListSoFar = {
          masks: [...before.masks, ...answer.masks.map((mask) => keep(isLong ? this.#share(mask) : mask))],
          leftOut: before.leftOut + leftOutOf(answer.masks).length,
          version: versionWith(before, answer),
        };
        if (answer.isMore && answer.masks.length > 0) {
          this.preview(soFar.masks);
          return this.#fetchParts(keep, soFar, mayRestart);
        }
        return TE.right(this.#complete(soFar));
      }),
      TE.orElse((failure) =>
        mayRestart && before.masks.length > 0 && isRefused(failure, 400)
          ? this.#fetchParts(keep, nothingSoFar, false)
          : TE.left(failure),
      ),
    );
  }

  #complete(list: ListSoFar): Masks {
    this.#leftOut$.set(list.leftOut);
    const masks = newestFirst(list.masks);
    if (list.version !== undefined) this.#versions.set(masks, list.version);
    return masks;
  }

  /** Puts a fetched mask where it belongs; an unknown one is added only to a complete list. */
  #withFetched(mask: Mask): (masks: Masks) => Masks {
    return (masks) => {
      if (masks.some(({ id }) => id === mask.id)) return withMask(mask)(masks);
      return this.state$.value.status === "ready" ? newestFirst([mask, ...masks]) : masks;
    };
  }

  #orAsLastSeen<A>(id: MaskId, project: (mask: Mask) => A, isFinal: (failure: Failure) => boolean) {
    return TE.orElse((failure: Failure) => {
      const mask = isFinal(failure) ? undefined : this.known()?.find((known) => known.id === id);
      return mask ? TE.right<Failure, A>(project(mask)) : TE.left(failure);
    });
  }
}
