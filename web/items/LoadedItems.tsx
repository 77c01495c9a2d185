import { type ReactNode, useEffect } from "react";
import type { Outdated } from "../../core/kernel/collection.ts";
import { OutdatedNotice } from "../loading/OutdatedNotice.tsx";
import { useFormAction } from "../react/useAction.ts";
import { ItemListLoading } from "../ui/layout/ItemList.tsx";

export interface LoadedItemsProps<A> {
  readonly refresh: Parameters<typeof useFormAction<[], unknown>>[0];
  /** null until it is loaded. */
  readonly list: A | null;
  readonly outdated?: Outdated | null;
  /** The sentence that screen readers announce: "Loading your addresses". */
  readonly loadingLabel: string;
  readonly children: (list: A) => ReactNode;
}

/** Loads things that the user owns and shows them, with what went wrong and how old a stored copy is. */
export const LoadedItems = <A,>(props: LoadedItemsProps<A>) => {
  const { refresh, list, outdated = null, loadingLabel, children } = props;
  const { run, isRunning, problem, clearProblem } = useFormAction(refresh);
  useEffect(() => run(), [run]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was loaded in another way has overcome the problem
  useEffect(clearProblem, [list]);
  return (
    <>
      <ItemListLoading
        label={loadingLabel}
        isLoaded={list !== null}
        problem={problem}
        onRetry={() => run()}
        isRetrying={isRunning}
      />
      {list !== null && (
        <>
          <OutdatedNotice outdated={outdated} onRefresh={() => run()} isRefreshing={isRunning} />
          {children(list)}
        </>
      )}
    </>
  );
};
