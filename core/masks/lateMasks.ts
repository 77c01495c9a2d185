import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, firstValueFrom } from "rxjs";
import type { Problem } from "../api/errorMessages.ts";
import { busy, unavailable } from "../kernel/failure.ts";
import type { Late, LateState } from "../kernel/late.ts";
import { mapState, type State, stateWithin } from "../kernel/state.ts";
import type { MaskPage } from "./maskList.ts";
import { defaultMaskQuery, type MaskFilter } from "./maskQuery.ts";
import type { Masks, MasksView } from "./masks.ts";

const couldNotLoad = "This part of the page could not be loaded. Check your connection, then try again.";
const noneYet: MasksView = { status: "loading", warning: null, all: [] };
const notToBeHad: MasksView = {
  status: "failed",
  warning: couldNotLoad,
  all: [],
};
const noCounts: Readonly<Record<MaskFilter, number>> = { all: 0, active: 0, disabled: 0 };
const emptyPage: MaskPage = { items: [], page: 1, pages: 1, matching: 0, counts: noCounts };
const noIds: ReadonlySet<string> = new Set();

const cannotBeHad: Problem = { message: couldNotLoad, fields: [], failure: unavailable(couldNotLoad) };
const notYet: Problem = { message: "", fields: [], failure: busy };

type TaskName = {
  [Name in keyof Masks]: Masks[Name] extends (...given: never[]) => TE.TaskEither<Problem, unknown>
    ? Name
    : never;
}[keyof Masks];

/** The masks of whoever is signed in, as soon as their code is here; until then what is asked of them waits. */
export const createLateMasks = (late: Pick<Late<Masks>, "state$" | "retry">): Masks => {
  const here$ = mapState(late.state$, (state) => (state.kind === "here" ? state.part : null));
  const absent$ = mapState(late.state$, ({ kind }) => (kind === "missing" ? notToBeHad : noneYet));
  const within = <A>(inner: (masks: Masks) => State<A>, otherwise: A): State<A> =>
    stateWithin(here$, inner, otherwise);
  /** Waits for what is on its way, and for what could not be had once more. */
  const whenHere: TE.TaskEither<Problem, Masks> = () => {
    late.retry();
    return firstValueFrom(late.state$.pipe(filter(({ kind }) => kind !== "fetching"))).then((state) => {
      if (state.kind === "here") return E.right(state.part);
      return E.left(state.kind === "missing" ? cannotBeHad : notYet);
    });
  };
  const once = <Name extends TaskName>(name: Name): Masks[Name] =>
    ((...given: never[]) => {
      const masks = here$.value;
      const ask = (of: Masks) => (of[name] as (...all: never[]) => TE.TaskEither<Problem, unknown>)(...given);
      return masks === null ? pipe(whenHere, TE.chain(ask)) : ask(masks);
    }) as Masks[Name];
  return {
    view$: stateWithin<LateState<Masks>, MasksView>(
      late.state$,
      (state) => (state.kind === "here" ? state.part.view$ : absent$),
      noneYet,
    ),
    query$: within(({ query$ }) => query$, defaultMaskQuery),
    page$: within(({ page$ }) => page$, emptyPage),
    newest$: within<string | null>(({ newest$ }) => newest$, null),
    pendingIds$: within(({ pendingIds$ }) => pendingIds$, noIds),
    copied$: within<string | null>(({ copied$ }) => copied$, null),
    mayChoosePrefix$: within(({ mayChoosePrefix$ }) => mayChoosePrefix$, false),
    search: (text) => here$.value?.search(text),
    filter: (filter) => here$.value?.filter(filter),
    goTo: (page) => here$.value?.goTo(page),
    refresh: () => {
      late.retry();
      return once("refresh")();
    },
    create: once("create"),
    edit: once("edit"),
    setActive: once("setActive"),
    askAgain: once("askAgain"),
    remove: once("remove"),
    copyAddress: once("copyAddress"),
    read: once("read"),
    statistics: once("statistics"),
    upsert: (mask) => here$.value?.upsert(mask),
    refetch: (id) => here$.value?.refetch(id) ?? Promise.resolve(false),
  };
};
