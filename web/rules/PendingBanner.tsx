import { useState } from "react";
import { useTask } from "../binding/useAction.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import styles from "./RulesTab.module.css";
import type { RulesPart } from "./rulesPart.ts";

/** What the server has not got yet, and what to do about it (SY4). */
export const PendingBanner = ({ part }: { readonly part: RulesPart }) => {
  const { sync, rules } = part;
  const { sentence, progress, refused } = useObservable(sync.view$);
  const { masks } = useObservable(rules.view$);
  const [asked, setAsked] = useState<string | null>(null);
  const now = useTask(() => () => sync.syncNow().then(() => undefined));
  const nameOf = (id: string): string => masks.find((mask) => mask.id === id)?.description ?? "a mask";

  if (sentence === null) return null;
  return (
    <>
      <Banner
        kind="warning"
        action={
          <Button size="small" onPress={now.run} isPending={now.isRunning || progress !== null}>
            Sync Now
          </Button>
        }
      >
        {progress ?? sentence}
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
              <Button size="small" variant="quietDanger" onPress={() => setAsked(maskId)}>
                Discard changes
              </Button>
            </span>
          }
        >
          The server does not take the rules of “{nameOf(maskId)}”: {reason}
        </Banner>
      ))}
      <ConfirmDialog
        isOpen={asked !== null}
        title="Discard changes?"
        confirmLabel="Discard"
        isDanger
        onConfirm={() => {
          if (asked !== null) sync.discard(asked);
          setAsked(null);
        }}
        onCancel={() => setAsked(null)}
      >
        <p>The rules of “{nameOf(asked ?? "")}” go back to what the server has. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
};
