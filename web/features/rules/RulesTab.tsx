import { useEffect, useRef, useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { MaskRules } from "../../../core/rules/editing/maskRules.ts";
import { rulesForLabels } from "../../../core/rules/editing/ruleScope.ts";
import type { RulesView, ShownRule } from "../../../core/rules/editing/rulesView.ts";
import { allMasks, allMasksName, everyRule, placeOfList } from "../../../core/rules/model/rulePlace.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Guarded } from "../../loading/Guarded.tsx";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { addressText, nameEntry, namesTab, readAddress } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { type Chip, ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { PageHead } from "../../ui/layout/layout.tsx";
import { entryState } from "../../ui/overlay/layers.ts";
import { layersIn } from "../../ui/overlay/useBackToClose.ts";
import { ArchiveSection } from "../archive/ArchiveSection.tsx";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";
import { AllMasksRules, OtherRulesNote } from "./AllMasksRules.tsx";
import { NoRules } from "./NoRules.tsx";
import { PendingBanner } from "./PendingBanner.tsx";
import { ReplacedNotices } from "./ReplacedNotices.tsx";
import { RuleList } from "./RuleList.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import styles from "./RulesTab.module.css";
import { RuleTemplates } from "./RuleTemplates.tsx";
import { FocusedPanel } from "./testPanel/FocusedPanel.tsx";
import { TestSection } from "./testPanel/TestSection.tsx";
import { useRulesForAll } from "./useRulesForAll.ts";

const dialog = createChunk(
  () => import("./form/RuleDialog.tsx"),
  (module) => module.RuleDialog,
);

const sieve = createChunk(
  () => import("./SievePanel.tsx"),
  (module) => module.SievePanel,
);

/** Offers the rules as a Sieve script, and the way back. */
const SieveSection = ({ view }: { readonly view: RulesView }) => {
  const [isShown, setShown] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="sieve">
      <h2 id="sieve">Export and import</h2>
      <p className={styles.text}>
        Rules as a Sieve script (RFC 5228), which many mail servers and programs know.
      </p>
      {isShown ? (
        <FocusedPanel label="Export and import">
          <Lazy chunk={sieve} skeleton={<RulesSkeleton />}>
            {(SievePanel) => <SievePanel view={view} />}
          </Lazy>
        </FocusedPanel>
      ) : (
        <Button onPress={() => setShown(true)}>Show as Sieve</Button>
      )}
    </section>
  );
};

const overview = createChunk(
  () => import("./RuleOverview.tsx"),
  (module) => module.RuleOverview,
);

const formatRuleCount = (count: number): string => `${count} ${count === 1 ? "rule" : "rules"}`;

const MaskChoice = ({
  view,
  onChoose,
}: {
  readonly view: RulesView;
  readonly onChoose: (id: string) => void;
}) => {
  const forAll = rulesForLabels([...view.allMasks.before, ...view.allMasks.after], []).length;
  const others = forAll > 0 ? `, ${forAll} for all` : "";
  return (
    <div className={styles.mask}>
      <MaskSelect
        value={view.maskId ?? undefined}
        onChange={onChoose}
        others={[
          {
            value: allMasks,
            label: allMasksName,
            description: `Before and after those of each mask · ${formatRuleCount(
              view.allMasks.before.length + view.allMasks.after.length,
            )}`,
          },
        ]}
        masks={view.masks}
        describe={({ maskEmail, ruleCount }) => `${maskEmail} · ${formatRuleCount(ruleCount)}${others}`}
      />
    </div>
  );
};

/**
 * Names the selected mask in the address; a link, a reload and the back button select the mask that it names. An address such
 * as `#rules/ID/new` also asks for a new rule of the mask, once its rules are known.
 */
const useRulesAddress = (rules: MaskRules, onNew: (listId: string) => void): void => {
  const latest = useRef(onNew);
  useEffect(() => {
    latest.current = onNew;
  });
  useEffect(() => {
    let newRuleOf: string | null = null;
    const maskInAddress = (): string | undefined => {
      const { path } = readAddress(window);
      return path[0] === "rules" ? path[1] : undefined;
    };
    const follow = (): void => {
      const named = maskInAddress();
      if (named === undefined) return;
      if (readAddress(window).path[2] === "new") {
        newRuleOf = named;
        nameEntry(addressText(["rules", named]));
      }
      rules.select(named);
      startNew(rules.view$.value);
    };
    const startNew = ({ maskId, status, lists: [list] }: RulesView): void => {
      if (newRuleOf === null || (status !== "ready" && status !== "stale")) return;
      const isShown = maskId === newRuleOf;
      newRuleOf = null;
      if (isShown && list) latest.current(list.id);
    };
    const write = ({ maskId, status, masks }: RulesView): void => {
      const named = maskInAddress();
      if (maskId === null || status === "loading" || maskId === named || !namesTab(window, "rules")) return;
      const address = addressText(["rules", maskId]);
      const isKnown = named === allMasks || named === everyRule || masks.some(({ id }) => id === named);
      if (!isKnown || entryState(window).layers) nameEntry(address);
      else window.history.pushState(null, "", address);
    };
    follow();
    const written = rules.view$.subscribe((view) => {
      write(view);
      startNew(view);
    });
    const endFollowing = layersIn(window).onMove(follow);
    return () => {
      written.unsubscribe();
      endFollowing();
    };
  }, [rules]);
};

const views: readonly Chip<"mask" | "overview">[] = [
  { value: "mask", label: "By mask" },
  { value: "overview", label: "All rules" },
];

/** Chooses between the rules of one mask and an overview of all. */
const ViewChoice = ({ view, rules }: { readonly view: RulesView; readonly rules: MaskRules }) => (
  <div className={styles.views}>
    <ChipGroup
      label="View"
      chips={views}
      value={view.maskId === everyRule ? "overview" : "mask"}
      onChange={(chosen) => (chosen === "overview" ? rules.select(everyRule) : rules.leaveOverview())}
    />
  </div>
);

/** Says what decides about mail of a mask without rules. */
const NoOwnRules = ({
  view,
  onAdd,
  onShowOthers,
}: {
  readonly view: RulesView;
  readonly onAdd: () => void;
  readonly onShowOthers: () => void;
}) => {
  const { text, isKnown } = useRulesForAll(view.allMasks, view.maskId);
  return (
    <NoRules title={text === "" ? "No rules for this mask yet." : "No rules of its own."} onAdd={onAdd}>
      {text !== "" ? (
        <>
          {text}.{" "}
          <ButtonLink size="small" href={addressText(["rules", allMasks])} onFollow={onShowOthers}>
            Show them
          </ButtonLink>
        </>
      ) : (
        <>
          {isKnown && "All of its mail is forwarded. "}A rule blocks, holds or forwards some of it elsewhere.
        </>
      )}
    </NoRules>
  );
};

const NoMasks = () => (
  <EmptyState
    title="You don't have any email masks yet."
    illustration={<RulesIcon size={32} />}
    action={
      <ButtonLink variant="primary" href={addressText(["masks", "new"])}>
        Create your first mask
      </ButtonLink>
    }
  >
    Create one to give it rules.
  </EmptyState>
);

interface Edited {
  /** The rule to edit; null for a new one. */
  readonly rule: ShownRule["rule"] | null;
  readonly listId: string;
}

interface RulesOfMaskProps {
  readonly rules: MaskRules;
  readonly view: RulesView;
  readonly maskId: string;
  readonly list: RulesView["lists"][number];
  readonly onEdit: (listId: string, rule: Edited["rule"]) => void;
  readonly onFocusLost: () => void;
}

/** The rules of one mask, or those for all masks, and what stands below them. */
const RulesOfMask = ({ rules, view, maskId, list, onEdit, onFocusLost }: RulesOfMaskProps) => (
  <>
    <MaskChoice view={view} onChoose={rules.select} />
    <Guarded part="rule list">
      {maskId === allMasks ? (
        <AllMasksRules view={view} onEdit={onEdit} onFocusLost={onFocusLost} />
      ) : (
        <>
          <OtherRulesNote view={view} onShow={() => rules.select(allMasks)} />
          <RuleList
            view={view}
            list={list}
            empty={
              view.leftOut === "" && (
                <NoOwnRules
                  view={view}
                  onAdd={() => onEdit(list.id, null)}
                  onShowOthers={() => rules.select(allMasks)}
                />
              )
            }
            onEdit={(rule) => onEdit(list.id, rule)}
            onFocusLost={onFocusLost}
          />
        </>
      )}
    </Guarded>
    <RuleTemplates rules={rules} maskId={list.id} />
    {maskId !== allMasks && (
      <Guarded part="archive">
        <ArchiveSection maskId={maskId} />
      </Guarded>
    )}
    <TestSection view={view} />
    <SieveSection key={maskId} view={view} />
  </>
);

/** Returns a function that has the list of a new rule shown once its dialog is closed; every rule stays shown. */
const useCreatedRule = (isOpen: boolean, shownId: string | null): ((listId: string) => void) => {
  const created = useRef<string | null>(null);
  useEffect(() => {
    const listId = created.current;
    if (isOpen || listId === null) return;
    created.current = null;
    const choice = placeOfList(listId) === null ? listId : allMasks;
    if (shownId !== everyRule && shownId !== choice) goTo(addressText(["rules", choice]));
  }, [isOpen, shownId]);
  return (listId) => {
    created.current = listId;
  };
};

/** The tab with the rules of one mask at a time, or of all: list, order, switch, edit, test (RU1). */
export const RulesTab = () => {
  const { rules } = useFeature(createRulesAndSync);
  const view = useObservable(rules.view$);
  const { maskId } = view;
  const { leftOut: unreadableMasks } = useObservable(useSignedIn().masks.view$);
  const heading = useRef<HTMLHeadingElement>(null);
  const { opened, isOpen, open, close } = useOpening<Edited>();
  const created = useCreatedRule(isOpen, maskId);
  useEffect(rules.open, []);

  const [list] = view.lists;
  const edit = (listId: string, rule: Edited["rule"]): void => open({ rule, listId });
  useRulesAddress(rules, (listId) => edit(listId, null));
  const focusHeading = (): void => heading.current?.focus();
  const isKnown = view.status === "ready" || view.status === "stale";

  return (
    <>
      <PageHead title="Custom Rules" titleRef={heading}>
        {list && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the button inside opens
          <span onPointerEnter={dialog.prefetch} onFocus={dialog.prefetch}>
            <Button variant="primary" icon={<PlusIcon size={18} />} onPress={() => edit(list.id, null)}>
              Create Rule
            </Button>
          </span>
        )}
      </PageHead>
      {view.warning !== null && (
        <Banner kind={view.status === "failed" ? "error" : "warning"}>{view.warning}</Banner>
      )}
      {view.leftOut !== "" && <Banner kind="warning">{view.leftOut}</Banner>}
      {view.status === "loading" && maskId === null && <RulesSkeleton />}
      {isKnown && view.masks.length === 0 && unreadableMasks !== "" && (
        <Banner kind="warning">{unreadableMasks}</Banner>
      )}
      {isKnown && view.masks.length === 0 && unreadableMasks === "" && <NoMasks />}
      {maskId !== null && <ViewChoice view={view} rules={rules} />}
      {maskId === everyRule && (
        <Guarded part="rule overview">
          <Lazy chunk={overview} skeleton={<RulesSkeleton />}>
            {(RuleOverview) => (
              <RuleOverview
                view={view}
                onCreate={() => list && edit(list.id, null)}
                onEdit={edit}
                onFocusLost={focusHeading}
              />
            )}
          </Lazy>
        </Guarded>
      )}
      {maskId !== null && maskId !== everyRule && list && (
        <RulesOfMask
          rules={rules}
          view={view}
          maskId={maskId}
          list={list}
          onEdit={edit}
          onFocusLost={focusHeading}
        />
      )}
      <div className={styles.notices}>
        <ReplacedNotices />
        <PendingBanner />
      </div>
      {opened && (
        <Lazy key={opened.key} chunk={dialog} skeleton={null}>
          {(RuleDialog) => (
            <RuleDialog
              rule={opened.target.rule}
              listId={opened.target.listId}
              isOpen={isOpen}
              onClose={close}
              onCreated={created}
            />
          )}
        </Lazy>
      )}
    </>
  );
};
