import { type ReactNode, useEffect } from "react";
import { createInsights } from "../../../core/insights/insights.ts";
import { createMailLogPages } from "../../../core/mailLog/mailLog.ts";
import { isActive, type Mask, plainFieldsOf, statisticsOf } from "../../../core/masks/mask.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { shortDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Guarded, GuardedDialog } from "../../loading/Guarded.tsx";
import { useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { usePageHeading } from "../../navigation/usePageHeading.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import { ButtonRow, PageHead } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import panels from "../../ui/layout/Panels.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Stat, StatList } from "../../ui/Stat.tsx";
import { MaskCorrespondents } from "../correspondents/MaskCorrespondents.tsx";
import { DailyMail } from "../insights/DailyMail.tsx";
import type { EditGroup } from "../masks/form/EditMaskFields.tsx";
import { MaskHead } from "../masks/page/MaskHead.tsx";
import { MaskRulesCard, MaskSendersCard } from "../masks/page/MaskSettingsCards.tsx";
import { MaskLists } from "../unsubscribe/MaskLists.tsx";
import { LogList } from "./LogList.tsx";
import { LogSkeleton, UnreadBanner } from "./LogPage.tsx";

interface OfMask {
  readonly mask: Mask;
}

interface PartProps extends OfMask {
  /** Called when the element with the focus is about to be removed. */
  readonly onFocusLost: () => void;
  /** Opens Edit Mask over the page, at a group of its fields. */
  readonly onEdit: (group?: EditGroup) => void;
}

const editDialog = createChunk(
  () => import("../masks/form/EditMaskDialog.tsx"),
  (module) => module.EditMaskDialog,
);

/** The figures of the mask's mail, in all and day by day. */
const MaskFigures = ({ mask }: OfMask) => {
  const insights = useFeature(createInsights);
  const { maskId, figures, askedAt } = useObservable(insights.view$);
  const { totalReceived, totalForwarded, spamBlocked, totalSent, lastUsed } = statisticsOf(mask);
  useEffect(() => {
    const before = insights.view$.value.maskId;
    insights.selectMask(mask.id);
    const close = insights.open();
    return () => {
      close();
      insights.selectMask(before);
    };
  }, [insights, mask.id]);
  return (
    <>
      <SectionCard
        id="mask-figures"
        title="Figures"
        text={lastUsed ? `The last mail came on ${shortDate(lastUsed)}.` : "No mail has arrived yet."}
      >
        <StatList aria-label="Figures">
          <Stat label="Emails received" value={totalReceived} />
          <Stat label="Forwarded" value={totalForwarded} />
          <Stat label="Blocked" value={spamBlocked} />
          <Stat label="Replied" value={totalSent} />
        </StatList>
      </SectionCard>
      {maskId === mask.id && askedAt !== null && figures.byDay !== undefined && figures.total !== 0 && (
        <DailyMail figures={figures} now={askedAt} />
      )}
    </>
  );
};

/** Returns a sentence for what the mask needs, or what can be done with it. */
const nextSteps = (mask: Mask): string => {
  if (mask.destinationStatus === "awaiting-confirmation")
    return `Open the link in the mail to ${mask.forwardTo}. Until then nothing is forwarded.`;
  if (!isActive(mask)) return "The mask is switched off. Switch it on to get its mail again.";
  if (statisticsOf(mask).totalReceived === 0)
    return "Give this address to a site or a person. The first mail appears here.";
  return "Decide what happens to its mail, or look at mail that waits for you.";
};

const NextSteps = ({ mask, onEdit, onFocusLost }: PartProps) => {
  const { masks } = useSignedIn();
  const { run: setActive } = useAction(masks.setActive);
  const count = mask.settings?.rules?.length ?? 0;
  return (
    <SectionCard id="mask-next" title="What to do next" text={nextSteps(mask)}>
      <ButtonRow>
        {!isActive(mask) && (
          <Button
            variant="primary"
            onPress={() => {
              setActive(mask.id, true);
              onFocusLost();
            }}
          >
            Switch on
          </Button>
        )}
        {count > 0 && <ButtonLink href={addressText(["rules", mask.id])}>Rules ({count})</ButtonLink>}
        {plainFieldsOf(mask).keptInApp !== "no" && (
          <ButtonLink href={addressText(["mailbox"], { mask: mask.id })}>Its mail</ButtonLink>
        )}
        <ButtonLink href={addressText(["held"], { mask: mask.id })}>Held mail</ButtonLink>
        <Button onPress={() => onEdit()}>Edit mask</Button>
        <ButtonLink href={addressText(["masks", mask.id])}>Show its card</ButtonLink>
      </ButtonRow>
    </SectionCard>
  );
};

/** The mask's part of the log. */
const MaskHistory = ({ mask }: OfMask) => {
  const log = useFeature(createMailLogPages);
  const { settings, entries, more, unread, message } = useObservable(log.view$);
  const refresh = useAction(log.refresh);
  const older = useAction(log.showOlder);
  useEffect(() => log.open({ maskId: mask.id, direction: null, result: null, text: "" }), [log, mask.id]);
  const isOff = settings?.keep === "off";
  return (
    <SectionCard
      id="mask-history"
      title="History"
      text={isOff ? "The log is off: what happens to the mail of this mask is not listed." : undefined}
    >
      <RetryBanner problem={{ message }} onRetry={() => refresh.run()} isRetrying={refresh.isRunning} />
      {settings === null && message === "" && <LogSkeleton />}
      {isOff && (
        <ButtonRow>
          <ButtonLink href={addressText(["log"])}>Switch on the log</ButtonLink>
        </ButtonRow>
      )}
      {settings !== null && !isOff && (
        <>
          <UnreadBanner unread={unread} />
          {entries?.length === 0 && <p>No mail in the log yet.</p>}
          <LogList entries={entries ?? []} namesMasks={false} />
          <ButtonRow startsQuiet={!more}>
            {more && (
              <Button onPress={() => older.run()} isPending={older.isRunning}>
                Show older
              </Button>
            )}
            <ButtonLink variant="quiet" href={addressText(["log"], { mask: mask.id })}>
              Search the log
            </ButtonLink>
          </ButtonRow>
        </>
      )}
    </SectionCard>
  );
};

const parts: readonly (readonly [string, (of: PartProps) => ReactNode])[] = [
  ["mask figures", ({ mask }) => <MaskFigures mask={mask} />],
  ["mask next steps", (of) => <NextSteps {...of} />],
  ["mask rules", ({ mask }) => <MaskRulesCard mask={mask} />],
  ["mask senders", ({ mask, onEdit }) => <MaskSendersCard mask={mask} onChange={() => onEdit("senders")} />],
  ["mask correspondents", ({ mask }) => <MaskCorrespondents mask={mask} />],
  ["mask lists", ({ mask }) => <MaskLists mask={mask} />],
  ["mask history", ({ mask }) => <MaskHistory mask={mask} />],
];

const MaskParts = ({ mask, onFocusLost }: OfMask & { readonly onFocusLost: () => void }) => {
  const editing = useLazyOpening<{ readonly group: EditGroup | undefined }>(editDialog);
  const { lose } = useFocusLoss(editing.isOpen, onFocusLost);
  const EditMaskDialog = editDialog.loaded();
  return (
    <>
      <div className={panels.tab}>
        {parts.map(([name, show]) => (
          <Guarded key={name} part={name}>
            {show({ mask, onFocusLost, onEdit: (group) => editing.open({ group }) })}
          </Guarded>
        ))}
      </div>
      {EditMaskDialog && editing.opened && (
        <GuardedDialog key={editing.opened.key} part="mask dialog" onClose={editing.close}>
          <EditMaskDialog
            mask={mask}
            group={editing.opened.target.group}
            isOpen={editing.isOpen}
            onClose={editing.close}
            onRemoved={lose}
          />
        </GuardedDialog>
      )}
    </>
  );
};

/** Everything about one mask: its figures, what to do next, whom it exchanges mail with, and what happened to its mail. */
export const MaskPage = ({ params, backTo, onLeave }: PageProps) => {
  const { masks, realtime } = useSignedIn();
  const { all, status } = useObservable(masks.view$);
  const { id: resourceId } = params;
  useEffect(
    () => (resourceId === undefined ? undefined : realtime.follow({ resource: "mask", resourceId })),
    [realtime, resourceId],
  );
  const mask = all.find(({ id }) => id === resourceId);
  const heading = usePageHeading(mask ? 1 : 0);
  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      {mask ? <MaskHead mask={mask} heading={heading} /> : <PageHead title="Mask" titleRef={heading} />}
      {mask && <MaskParts key={mask.id} mask={mask} onFocusLost={() => heading.current?.focus()} />}
      {!mask && status === "loading" && (
        <SkeletonRegion label="Loading the mask" className={styles.list}>
          <Skeleton height="card" shape="block" />
        </SkeletonRegion>
      )}
      {!mask && status !== "loading" && (
        <EmptyState title="This mask does not exist any more" illustration={<MailIcon size={32} />}>
          Look under Deleted masks, where deleted masks stay for {trashDays} days.
        </EmptyState>
      )}
    </>
  );
};
