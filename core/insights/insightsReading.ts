import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { type InsightsAnswer, noInsights } from "./insightsAnswer.ts";
import type { InsightsCache } from "./insightsCache.ts";

/** The figures held, and where they come from. */
export interface InsightsHolding {
  /** null: of all masks together. */
  readonly maskId: MaskId | null;
  /** `stale`: from an earlier time, with a warning; `failed`: none could be had. */
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly warning: string | null;
  readonly figures: InsightsAnswer;
  /** When they were asked for, in milliseconds since 1970; null while nothing is known and `figures` is empty. */
  readonly askedAt: number | null;
}

export interface InsightsReading {
  readonly holding$: State<InsightsHolding>;
  /** Another mask, or all: shows what is kept of it and young enough, else nothing yet. */
  readonly choose: (maskId: MaskId | null) => void;
  /** Asks; a failure shows what was kept, whatever its age (IN6). `quiet`: nobody asked for it by hand. */
  readonly read: (quiet: boolean) => TE.TaskEither<Problem, void>;
  /** Another user, or nobody. */
  readonly reset: () => void;
}

interface Needs {
  readonly ask: (maskId: MaskId | null, quiet: boolean) => TE.TaskEither<Failure, InsightsAnswer>;
  readonly cache: InsightsCache;
  readonly clock: Clock;
  readonly owner: () => string | null;
}

const oldFigures = "Using cached insights data. Refresh when online.";
const cancelled = "The figures were not read. Refresh to read them.";

/** IN6. */
const failing: Fallbacks = {
  here: "Failed to get insights data",
  unreached: "Failed to load insights data",
  unreadable: "Failed to load insights data",
};

const nothing = (maskId: MaskId | null): InsightsHolding => ({
  maskId,
  status: "loading",
  warning: null,
  figures: noInsights,
  askedAt: null,
});

export const makeInsightsReading = ({ ask, cache, clock, owner }: Needs): InsightsReading => {
  const holding$ = makeState(nothing(null));

  const choose = (maskId: MaskId | null): void => {
    const who = owner();
    const kept = who === null ? null : cache.read(who, maskId);
    holding$.set(
      kept?.fresh
        ? { maskId, status: "ready", warning: null, figures: kept.answer, askedAt: kept.askedAt }
        : nothing(maskId),
    );
  };
  const arrived = (figures: InsightsAnswer, askedAt: number): void =>
    holding$.update((before) =>
      before.askedAt !== null && before.askedAt > askedAt
        ? before
        : { ...before, status: "ready", warning: null, figures, askedAt },
    );
  /** What was shown stays, else what was kept comes back, whatever its age. */
  const failed = (failure: Failure, who: string): void => {
    const held = holding$.value;
    const kept = held.askedAt === null ? cache.read(who, held.maskId) : held;
    if (kept !== null) {
      const figures = "answer" in kept ? kept.answer : kept.figures;
      holding$.set({ ...held, status: "stale", warning: oldFigures, figures, askedAt: kept.askedAt });
    } else if (failure.kind === "cancelled") {
      holding$.set({ ...held, status: "stale", warning: cancelled });
    } else holding$.set({ ...held, status: "failed", warning: problemOf(failing)(failure).sentence });
  };
  const read =
    (quiet: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const who = owner();
      const { maskId, status } = holding$.value;
      const askedAt = clock.now();
      if (who === null) return Promise.resolve(E.right(undefined));
      if (status === "failed") holding$.set(nothing(maskId));
      const isShown = (): boolean => owner() === who && holding$.value.maskId === maskId;
      const keep = (answer: InsightsAnswer): void => {
        if (owner() === who) cache.write(who, { maskId, askedAt, answer });
        if (isShown()) arrived(answer, askedAt);
      };
      const unread = (failure: Failure): Problem => {
        if (isShown()) failed(failure, who);
        return problemOf(failing)(failure);
      };
      return ask(maskId, quiet)().then((result) => {
        if (E.isLeft(result) && maskId !== null && isRefused(result.left, 404) && isShown())
          return allInstead();
        return E.bimap(unread, keep)(result);
      });
    };
  /** The mask is gone. */
  const allInstead = (): Promise<E.Either<Problem, void>> => {
    choose(null);
    return read(true)();
  };
  return { holding$, choose, read, reset: () => choose(null) };
};
