import { useEffect, useRef, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { useNavigate } from "../navigation/navigation.ts";
import { useApp } from "../react/useApp.ts";
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
import { RuleList } from "./RuleList.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import styles from "./RulesTab.module.css";
import { RuleTemplates } from "./RuleTemplates.tsx";
import type { RulesPart, RulesView, ShownRule } from "./rulesPart.ts";

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

/** Shows the rules of one mask: list, order, switch, edit, test (RU1). */
const RulesScreen = ({ part }: { readonly part: RulesPart }) => {
  const { rules } = part;
  const view = useObservable(rules.view$);
  const heading = useRef<HTMLHeadingElement>(null);
  /** Holds the rule to edit; null for a new one. */
  const editor = useOpening<ShownRule["rule"] | null>();
  const [isTesting, setTesting] = useState(false);
  const navigate = useNavigate();
  useEffect(rules.open, []);

  const isKnown = view.status === "ready" || view.status === "stale";

  return (
    <>
      <PageHead title="Custom Rules" titleRef={heading}>
        {view.maskId !== null && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the button inside opens
          <span onPointerEnter={dialog.prefetch} onFocus={dialog.prefetch}>
            <Button variant="primary" icon={<PlusIcon size={18} />} onPress={() => editor.open(null)}>
              Create Rule
            </Button>
          </span>
        )}
      </PageHead>
      <PendingBanner part={part} />
      {view.warning !== null && (
        <Banner kind={view.status === "failed" ? "error" : "warning"}>{view.warning}</Banner>
      )}
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
      {view.maskId !== null && (
        <>
          <MaskChoice view={view} onChoose={rules.select} />
          <RuleList
            part={part}
            view={view}
            onEdit={editor.open}
            onFocusLost={() => heading.current?.focus()}
          />
          <RuleTemplates rules={rules} maskId={view.maskId} />
          <ArchiveSection maskId={view.maskId} />
          <section className={styles.section} aria-labelledby="try-rules">
            <h2 id="try-rules">Test a mail</h2>
            <p className={styles.text}>
              See what these rules do with a mail before one arrives. It stays in your browser.
            </p>
            {isTesting ? (
              <FocusedPanel label="Test a mail">
                <Late
                  chunk={panel}
                  skeleton={<RulesSkeleton />}
                  part={part}
                  maskId={view.maskId}
                  rules={view.rules.map(({ rule }) => rule)}
                />
              </FocusedPanel>
            ) : (
              <Button onPress={() => setTesting(true)}>Test a mail</Button>
            )}
          </section>
        </>
      )}
      {editor.wanted && (
        <Late
          key={editor.wanted.key}
          chunk={dialog}
          skeleton={null}
          part={part}
          rule={editor.wanted.about}
          maskId={view.maskId}
          isOpen={editor.isOpen}
          onClose={editor.close}
        />
      )}
    </>
  );
};

/** The tab with the rules of each mask (RU1). */
export const RulesTab = () => {
  const { rules } = useApp();
  const skeleton = (
    <>
      <PageHead title="Custom Rules" />
      <RulesSkeleton />
    </>
  );
  return (
    <WithPart late={rules} skeleton={skeleton}>
      {(part) => <RulesScreen part={part} />}
    </WithPart>
  );
};
