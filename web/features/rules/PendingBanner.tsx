import { useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { useTask } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { nameOfList } from "./overviewFilter.ts";
import styles from "./RulesTab.module.css";

/** Shows changes that the server does not have yet, with actions to sync or discard them (SY4). */
export const PendingBanner = () => {
  const { sync, rules } = useFeature(createRulesAndSync);
  const { message, progress, refused } = useObservable(sync.view$);
  const { masks } = useObservable(rules.view$);
  const [maskToDiscard, setMaskToDiscard] = useState<string | null>(null);
  const syncNow = useTask(() => sync.syncNow);
  const listName = (id: string): string => nameOfList({ masks }, id);

  if (message === null) return null;
  return (
    <>
      <Banner
        kind="warning"
        action={
          <Button size="small" onPress={syncNow.run} isPending={syncNow.isRunning || progress !== null}>
            Sync Now
          </Button>
        }
      >
        {progress ?? message}
      </Banner>
      {refused.map(({ maskId, reason }) => (
        <Banner
          key={maskId}
          kind="error"
          action={
            <span className={styles.refused}>
              <Button size="small" onPress={() => rules.select(maskId)}>
                Show rules
              </Button>
              <Button size="small" variant="quietDanger" onPress={() => setMaskToDiscard(maskId)}>
                Discard changes
              </Button>
            </span>
          }
        >
          The server does not take the rules of “{listName(maskId)}”: {reason}
        </Banner>
      ))}
      <ConfirmDialog
        isOpen={maskToDiscard !== null}
        title="Discard changes?"
        confirmLabel="Discard"
        isDanger
        onConfirm={() => {
          if (maskToDiscard !== null) sync.discard(maskToDiscard);
          setMaskToDiscard(null);
        }}
        onCancel={() => setMaskToDiscard(null)}
      >
        <p>
          The rules of “{listName(maskToDiscard ?? "")}” go back to what the server has. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    </>
  );
};
