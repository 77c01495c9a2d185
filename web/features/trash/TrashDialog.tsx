import { useEffect, useRef, useState } from "react";
import { statisticsOf } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { createTrash, type Trash } from "../../../core/trash/trash.ts";
import { type TrashedMask, trashDays } from "../../../core/trash/trashEndpoints.ts";
import { relativeTimeInSentence, shortDate } from "../../format/dates.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import row from "./TrashDialog.module.css";

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

interface TrashRowProps {
  readonly mask: TrashedMask;
  readonly trash: Trash;
  readonly isDisabled: boolean;
  readonly onDelete: () => void;
}

const TrashRow = ({ mask, trash, isDisabled, onDelete }: TrashRowProps) => {
  const restore = useFormAction(trash.restore);
  const rules = mask.settings?.rules?.length ?? 0;
  return (
    <li className={row.mask}>
      <h3 className={row.name}>{maskName(mask)}</h3>
      <p className={styles.address}>{mask.maskEmail}</p>
      <p className={row.text}>
        {plural(rules, "rule")}, {plural(statisticsOf(mask).totalReceived, "mail")}. Deleted{" "}
        {relativeTimeInSentence(Date.parse(mask.deleted), Date.now())}, gone for good on{" "}
        {shortDate(mask.until)}.
      </p>
      <ProblemBanner problem={restore.problem} />
      <ButtonRow>
        <Button
          size="small"
          aria-label={`Restore ${maskName(mask)}`}
          isPending={restore.isRunning}
          isDisabled={isDisabled}
          onPress={() => restore.run(mask.id)}
        >
          Restore
        </Button>
        <Button
          size="small"
          variant="quietDanger"
          aria-label={`Delete ${maskName(mask)} for good`}
          isDisabled={isDisabled || restore.isRunning}
          onPress={onDelete}
        >
          Delete for good
        </Button>
      </ButtonRow>
    </li>
  );
};

interface TrashDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the deleted masks, which can be restored with their rules and figures for 30 days. */
export const TrashDialog = ({ isOpen, onClose }: TrashDialogProps) => {
  const trash = useFeature(createTrash);
  const { masks, leftOut } = useObservable(trash.view$);
  const outdated = useObservable(trash.outdated$);
  const list = useRef<HTMLDivElement>(null);
  const [toDelete, setToDelete] = useState<TrashedMask | null>(null);
  const remove = useFormAction(trash.remove, { onSuccess: () => setToDelete(null) });
  const count = masks?.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a removed row has lost the focus
  useEffect(() => {
    if (document.activeElement === document.body) list.current?.focus();
  }, [count]);

  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Deleted masks" size="large">
      <div ref={list} tabIndex={-1} className={styles.stack}>
        <p>
          A deleted mask rests here for {trashDays} days. Its mail is refused, its address stays yours, and it
          does not count among your masks.
        </p>
        <LoadedItems
          refresh={trash.refresh}
          list={masks}
          outdated={outdated}
          loadingLabel="Loading the deleted masks"
        >
          {(deleted) => (
            <>
              {leftOut !== "" && <Banner kind="warning">{leftOut}</Banner>}
              {deleted.length === 0 && leftOut === "" && <EmptyState title="No deleted masks" />}
              {deleted.length > 0 && (
                <ul className={styles.stack} aria-label="Deleted masks">
                  {deleted.map((mask) => (
                    <TrashRow
                      key={mask.id}
                      mask={mask}
                      trash={trash}
                      isDisabled={outdated !== null}
                      onDelete={() => setToDelete(mask)}
                    />
                  ))}
                </ul>
              )}
            </>
          )}
        </LoadedItems>
      </div>
      <ConfirmDialog
        isOpen={toDelete !== null}
        title={`Delete ${toDelete ? maskName(toDelete) : ""} for good?`}
        confirmLabel="Delete for good"
        pendingLabel="Deleting…"
        isDanger
        isPending={remove.isRunning}
        onConfirm={() => {
          if (toDelete) remove.run(toDelete.id);
        }}
        onCancel={() => setToDelete(null)}
        problem={remove.problem}
      >
        <p>
          Its rules and statistics are deleted at once, and nobody gets its address again. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    </Dialog>
  );
};
