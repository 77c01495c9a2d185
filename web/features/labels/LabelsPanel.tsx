import { useRef, useState } from "react";
import { createMaskLabels } from "../../../core/labels/labels.ts";
import { labelSearch } from "../../../core/masks/maskSearch.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { Popover } from "../../ui/overlay/Popover.tsx";
import { LabelList } from "./LabelList.tsx";
import { NewLabel } from "./NewLabel.tsx";

interface LabelsPanelProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The id of the button below which the panel opens. */
  readonly button: string;
}

/** Lists the labels: shows the masks that have several of them, renames, merges, colors and deletes them. */
export const LabelsPanel = ({ isOpen, onClose, button }: LabelsPanelProps) => {
  const { page } = useApp();
  const isNarrow = useObservable(page.narrow$);
  const trigger = useRef(document.getElementById(button));
  const { masks } = useSignedIn();
  const labels = useFeature(createMaskLabels);
  const list = useObservable(labels.list$);
  const outdated = useObservable(labels.outdated$);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const shown = chosen.filter((name) => list?.some((label) => label.name === name));
  const show = (): void => {
    masks.show({ search: shown.map(labelSearch).join(" ") });
    onClose();
  };
  return (
    <Popover
      isOpen={isOpen}
      onClose={onClose}
      title="Labels"
      trigger={trigger}
      isSheet={isNarrow || trigger.current === null}
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
        <LoadedItems
          refresh={labels.refresh}
          list={list}
          outdated={outdated}
          loadingLabel="Loading the labels"
        >
          {(all) => (
            <>
              <NewLabel labels={labels} isDisabled={outdated !== null} />
              <LabelList
                labels={labels}
                list={all}
                chosen={shown}
                isDisabled={outdated !== null}
                onChoose={setChosen}
              />
            </>
          )}
        </LoadedItems>
      </div>
    </Popover>
  );
};
