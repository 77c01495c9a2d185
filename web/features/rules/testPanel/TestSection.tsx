import { useMemo, useState } from "react";
import { createRulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import type { RulesView } from "../../../../core/rules/editing/rulesView.ts";
import { allMasks } from "../../../../core/rules/model/rulePlace.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { Lazy } from "../../../loading/Lazy.tsx";
import { useFeature } from "../../../react/useApp.ts";
import { Button } from "../../../ui/Button.tsx";
import { MaskSelect } from "../../masks/select/MaskSelect.tsx";
import { RulesSkeleton } from "../RulesSkeleton.tsx";
import styles from "../RulesTab.module.css";
import { FocusedPanel } from "./FocusedPanel.tsx";

const panel = createChunk(
  () => import("./TestPanel.tsx"),
  (module) => module.TestPanel,
);

/** The panel with all lists that decide about a mail of the mask, or of one that is chosen where all masks are. */
const Panel = ({ view }: { readonly view: RulesView }) => {
  const { rules } = useFeature(createRulesAndSync);
  const [chosen, choose] = useState<string | null>(null);
  const isAll = view.maskId === allMasks;
  const masks = view.masks.map(({ id }) => id);
  const mask = isAll ? (masks.find((id) => id === chosen) ?? masks[0]) : view.maskId;
  const lists = useMemo(() => {
    const { before, after } = view.allMasks;
    return { before, mask: mask ? rules.rulesOf(mask) : [], after };
  }, [view, rules, mask]);
  if (!mask) return null;
  return (
    <>
      {isAll && (
        <div className={styles.mask}>
          <MaskSelect label="The email comes to" value={mask} onChange={choose} masks={view.masks} />
        </div>
      )}
      <Lazy chunk={panel} skeleton={<RulesSkeleton />}>
        {(TestPanel) => <TestPanel maskId={mask} rules={lists} withSettings />}
      </Lazy>
    </>
  );
};

/** Offers to test a mail on the rules. */
export const TestSection = ({ view }: { readonly view: RulesView }) => {
  const [isShown, setShown] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="try-rules">
      <h2 id="try-rules">Test an email</h2>
      <p className={styles.text}>
        See what these rules do before an email arrives. An email that you paste stays on this device.
      </p>
      {isShown ? (
        <FocusedPanel label="Test an email">
          <Panel view={view} />
        </FocusedPanel>
      ) : (
        <Button onPress={() => setShown(true)}>Test an email</Button>
      )}
    </section>
  );
};
