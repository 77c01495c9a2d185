import { useEffect, useRef, useState } from "react";
import type { RulesView, ShownRule } from "../../core/rules/editing/maskRules.ts";
import { createChunk } from "../loading/chunk.ts";
import { Guarded } from "../loading/Guarded.tsx";
import { Lazy } from "../loading/Lazy.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { useNavigate } from "../navigation/navigation.ts";
import { useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHead } from "../ui/layout.tsx";
import { PlusIcon, RulesIcon } from "../ui/moreIcons.tsx";
import { Select } from "../ui/Select.tsx";
import { ArchiveSection } from "./ArchiveSection.tsx";
import { FocusedPanel } from "./FocusedPanel.tsx";
import { PendingBanner } from "./PendingBanner.tsx";
import { ReplacedNotices } from "./ReplacedNotices.tsx";
import { RuleList } from "./RuleList.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import styles from "./RulesTab.module.css";
import { RuleTemplates } from "./RuleTemplates.tsx";

const dialog = createChunk(
  () => import("./RuleDialog.tsx"),
  (module) => module.RuleDialog,
);

const panel = createChunk(
  () => import("./TestPanel.tsx"),
  (module) => module.TestPanel,
);

const formatRuleCount = (count: number): string => `${count} ${count === 1 ? "rule" : "rules"}`;

const MaskChoice = ({
  view,
  onChoose,
}: {
  readonly view: RulesView;
  readonly onChoose: (id: string) => void;
}) => (
  <div className={styles.mask}>
    <Select
      label="Mask"
      value={view.maskId ?? undefined}
      onChange={onChoose}
      options={view.masks.map(({ id, description, maskEmail, ruleCount }) => ({
        value: id,
        label: description,
        description: `${maskEmail} · ${formatRuleCount(ruleCount)}`,
      }))}
    />
  </div>
);

/** The tab with the rules of one mask at a time: list, order, switch, edit, test (RU1). */
export const RulesTab = () => {
  const { rules } = useSignedIn();
  const view = useObservable(rules.view$);
  const { maskId } = view;
  const heading = useRef<HTMLHeadingElement>(null);
  /** Holds the rule to edit; null for a new one. */
  const { wanted, isOpen, open, close } = useOpening<ShownRule["rule"] | null>();
  const [isTesting, setTesting] = useState(false);
  const navigate = useNavigate();
  useEffect(rules.open, []);

  const isKnown = view.status === "ready" || view.status === "stale";

  return (
    <>
      <PageHead title="Custom Rules" titleRef={heading}>
        {maskId !== null && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the button inside opens
          <span onPointerEnter={dialog.prefetch} onFocus={dialog.prefetch}>
            <Button variant="primary" icon={<PlusIcon size={18} />} onPress={() => open(null)}>
              Create Rule
            </Button>
          </span>
        )}
      </PageHead>
      {view.warning !== null && (
        <Banner kind={view.status === "failed" ? "error" : "warning"}>{view.warning}</Banner>
      )}
      {view.leftOut !== "" && <Banner kind="warning">{view.leftOut}</Banner>}
      {view.status === "loading" && <RulesSkeleton />}
      {isKnown && view.masks.length === 0 && (
        <EmptyState
          title="You don't have any email masks yet."
          illustration={<RulesIcon size={32} />}
          action={
            <Button variant="primary" onPress={() => navigate({ tab: "masks" })}>
              Create your first mask
            </Button>
          }
        >
          Create one to give it rules.
        </EmptyState>
      )}
      {maskId !== null && (
        <>
          <MaskChoice view={view} onChoose={rules.select} />
          <Guarded part="rule list">
            <RuleList view={view} onEdit={open} onFocusLost={() => heading.current?.focus()} />
          </Guarded>
          <RuleTemplates rules={rules} maskId={maskId} />
          <Guarded part="archive">
            <ArchiveSection maskId={maskId} />
          </Guarded>
          <section className={styles.section} aria-labelledby="try-rules">
            <h2 id="try-rules">Test a mail</h2>
            <p className={styles.text}>
              See what these rules do with a mail before one arrives. It stays in your browser.
            </p>
            {isTesting ? (
              <FocusedPanel label="Test a mail">
                <Lazy chunk={panel} skeleton={<RulesSkeleton />}>
                  {(TestPanel) => <TestPanel maskId={maskId} rules={view.rules.map(({ rule }) => rule)} />}
                </Lazy>
              </FocusedPanel>
            ) : (
              <Button onPress={() => setTesting(true)}>Test a mail</Button>
            )}
          </section>
        </>
      )}
      <div className={styles.notices}>
        <ReplacedNotices />
        <PendingBanner />
      </div>
      {wanted && (
        <Lazy key={wanted.key} chunk={dialog} skeleton={null}>
          {(RuleDialog) => <RuleDialog rule={wanted.about} maskId={maskId} isOpen={isOpen} onClose={close} />}
        </Lazy>
      )}
    </>
  );
};
