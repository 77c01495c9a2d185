import { type ReactNode, useCallback, useEffect, useRef } from "react";
import type { Chunk } from "../loading/chunk.ts";
import { Lazy } from "../loading/Lazy.tsx";
import { useFocusLoss, useOpening } from "../loading/useOpening.ts";
import { SettingsCard } from "../navigation/SettingsCard.tsx";
import type { SectionCardProps } from "../ui/layout/SectionCard.tsx";
import { LoadedItems, type LoadedItemsProps } from "./LoadedItems.tsx";

/** What a dialog of a card gets of it. */
export interface ItemDialogProps<T> {
  /** What it is about. */
  readonly target: T;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export interface ItemsCardProps<A, D extends ItemDialogProps<unknown>>
  extends Pick<SectionCardProps, "text">,
    Omit<LoadedItemsProps<A>, "children"> {
  readonly dialogs: Chunk<(props: D) => ReactNode>;
  /** What the dialogs need beside their target. */
  readonly dialogProps: Omit<D, keyof ItemDialogProps<unknown>>;
  /** Shown below the list, also before it is loaded. */
  readonly footer?: ReactNode;
  readonly children: (list: A, open: (target: D["target"]) => void) => ReactNode;
}

/**
 * A card of the settings with things that the user owns, and the dialogs that its rows and buttons open. Its title takes the
 * focus when a dialog has removed what it was opened from.
 */
export const ItemsCard = <A, D extends ItemDialogProps<unknown>>(props: ItemsCardProps<A, D>) => {
  const { text, dialogs, dialogProps, footer, children, ...items } = props;
  const { opened, isOpen, open, close } = useOpening<D["target"]>();
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useCallback(() => heading.current?.focus(), []);
  const { lose } = useFocusLoss(isOpen, focusHeading);
  useEffect(dialogs.prefetch, []);
  const closeDialog = (): void => {
    lose();
    close();
  };
  return (
    <SettingsCard titleRef={heading} text={text}>
      <LoadedItems {...items}>{(list) => children(list, open)}</LoadedItems>
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
    </SettingsCard>
  );
};
