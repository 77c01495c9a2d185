import { useEffect, useState } from "react";
import { createMaskLabels } from "../../../core/labels/labels.ts";
import { labelSearch } from "../../../core/masks/maskSearch.ts";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { LabelList } from "./LabelList.tsx";
import { NewLabel } from "./NewLabel.tsx";

interface LabelsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the labels: shows the masks that have several of them, renames, merges, colors and deletes them. */
export const LabelsDialog = ({ isOpen, onClose }: LabelsDialogProps) => {
  const { masks } = useSignedIn();
  const labels = useFeature(createMaskLabels);
  const list = useObservable(labels.list$);
  const outdated = useObservable(labels.outdated$);
  const load = useFormAction(labels.refresh);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { run: refresh } = load;
  useEffect(() => refresh(), [refresh]);
  const shown = chosen.filter((name) => list?.some((label) => label.name === name));
  const show = (): void => {
    masks.show({ search: shown.map(labelSearch).join(" ") });
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Labels"
      footer={
        <>
          <Button onPress={onClose}>Done</Button>
          <Button variant="primary" onPress={show} isDisabled={shown.length === 0}>
            Show masks
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <p>Choose labels to show the masks that have all of them.</p>
        <RetryBanner problem={load.problem} onRetry={() => refresh()} isRetrying={load.isRunning} />
        {list === null && !load.problem && (
          <SkeletonRegion label="Loading the labels">
            <Skeleton height="6rem" shape="block" />
          </SkeletonRegion>
        )}
        {list !== null && (
          <>
            <OutdatedNotice outdated={outdated} onRefresh={() => refresh()} isRefreshing={load.isRunning} />
            <NewLabel labels={labels} isDisabled={outdated !== null} />
            <LabelList
              labels={labels}
              list={list}
              chosen={shown}
              isDisabled={outdated !== null}
              onChoose={setChosen}
            />
          </>
        )}
      </div>
    </Dialog>
  );
};
