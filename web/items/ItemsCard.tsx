import { type ReactNode, useCallback, useEffect, useRef } from "react";
import type { Outdated } from "../../core/kernel/collection.ts";
import type { Chunk } from "../loading/chunk.ts";
import { Lazy } from "../loading/Lazy.tsx";
import { OutdatedNotice } from "../loading/OutdatedNotice.tsx";
import { useFocusLoss, useOpening } from "../loading/useOpening.ts";
import { useFormAction } from "../react/useAction.ts";
import { ItemListLoading } from "../ui/layout/ItemList.tsx";
import { SectionCard, type SectionCardProps } from "../ui/layout/SectionCard.tsx";

/** What a dialog of a card gets of it. */
export interface ItemDialogProps<T> {
  /** What it is about. */
  readonly target: T;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export interface ItemsCardProps<A, D extends ItemDialogProps<unknown>>
  extends Pick<SectionCardProps, "id" | "title" | "text"> {
  readonly refresh: Parameters<typeof useFormAction<[], unknown>>[0];
  /** null until it is loaded. */
  readonly list: A | null;
  readonly outdated?: Outdated | null;
  /** The sentence that screen readers announce: "Loading your addresses". */
  readonly loadingLabel: string;
  readonly dialogs: Chunk<(props: D) => ReactNode>;
  /** What the dialogs need beside their target. */
  readonly dialogProps: Omit<D, keyof ItemDialogProps<unknown>>;
  /** Shown below the list, also before it is loaded. */
  readonly footer?: ReactNode;
  readonly children: (list: A, open: (target: D["target"]) => void) => ReactNode;
}

/**
 * A card with things that the user owns: loads them, says what went wrong, and shows the dialogs that its rows and buttons open.
 * Its title takes the focus when a dialog has removed what it was opened from.
 */
export const ItemsCard = <A, D extends ItemDialogProps<unknown>>(props: ItemsCardProps<A, D>) => {
  const { refresh, list, outdated = null, loadingLabel, dialogs, dialogProps, footer, children } = props;
  const { run, isRunning, problem, clearProblem } = useFormAction(refresh);
  const { opened, isOpen, open, close } = useOpening<D["target"]>();
  const title = useRef<HTMLHeadingElement>(null);
  const focusTitle = useCallback(() => title.current?.focus(), []);
  const { lose } = useFocusLoss(isOpen, focusTitle);
  useEffect(() => run(), [run]);
  useEffect(dialogs.prefetch, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was loaded in another way has overcome the problem
  useEffect(clearProblem, [list]);
  const closeDialog = (): void => {
    lose();
    close();
  };
  return (
    <SectionCard id={props.id} title={props.title} titleRef={title} level={3} text={props.text}>
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
          {children(list, open)}
        </>
      )}
      {footer}
      {opened && (
        <Lazy chunk={dialogs} skeleton={null}>
          {(Dialogs) => (
            <Dialogs
              key={opened.key}
              {...({ ...dialogProps, target: opened.target, isOpen, onClose: closeDialog } as D)}
            />
          )}
        </Lazy>
      )}
    </SectionCard>
  );
};
