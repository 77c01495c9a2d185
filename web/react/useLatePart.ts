import { useEffect } from "react";
import type { LatePart } from "../../core/app/lateParts.ts";
import { useObservable } from "./useObservable.ts";

/** A late feature as a component meets it: here, or on its way, or not to be had for now. */
export interface LatePartStatus<A> {
  readonly part: A | undefined;
  readonly isMissing: boolean;
  readonly retry: () => void;
}

/** Wants a feature that is fetched late, and hands it on once it is here. */
export const useLatePart = <A>(late: LatePart<A>): LatePartStatus<A> => {
  const state = useObservable(late.state$);
  const { want } = late;
  useEffect(() => want(), [want]);
  return {
    part: state.kind === "here" ? state.part : undefined,
    isMissing: state.kind === "missing",
    retry: late.retry,
  };
};

/** The feature in a late part: PartOf<App["twoFactor"]>. */
export type PartOf<L> = L extends LatePart<infer A> ? A : never;
