import { type ReactNode, type RefObject, useEffect } from "react";
import { createInsights } from "../../../core/insights/insights.ts";
import { createMailLogPages } from "../../../core/mailLog/mailLog.ts";
import { type Mask, statisticsOf } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { shortDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Guarded, GuardedDialog } from "../../loading/Guarded.tsx";
import { useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { usePartTitle } from "../../navigation/partTitle.ts";
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
import { LogList } from "../mailLog/LogList.tsx";
import { LogSkeleton, UnreadBanner } from "../mailLog/LogPage.tsx";
import type { EditGroup } from "../masks/form/EditMaskFields.tsx";
import {
  addressOf,
  canBeDone,
  labelOf,
  type MaskAction,
  type MaskActionName,
  maskActions,
} from "../masks/maskActions.ts";
import { MaskLists } from "../unsubscribe/MaskLists.tsx";
import pageStyles from "./MaskHead.module.css";
import { MaskHead } from "./MaskHead.tsx";
import { MaskRulesCard, MaskSendersCard } from "./MaskSettingsCards.tsx";

interface OfMask {
  readonly mask: Mask;
}

interface PartProps extends OfMask {
  /** Opens Edit Mask over the page, at a group of its fields. */
  readonly onEdit: (group?: EditGroup) => void;
}

const editDialog = createChunk(
  () => import("../masks/form/EditMaskDialog.tsx"),
  (module) => module.EditMaskDialog,
);

/** The figures of the mask's mail in all. */
const MaskFigures = ({ mask }: OfMask) => {
  const { totalReceived, totalForwarded, spamBlocked, totalSent, lastUsed } = statisticsOf(mask);
  return (
    <SectionCard
      id="mask-figures"
      title="Figures"
      text={
        lastUsed
          ? `The last email came on ${shortDate(lastUsed)}.`
          : "Give this address to a site or a person. The first email appears here."
      }
    >
      <StatList aria-label="Figures">
        <Stat label="Emails received" value={totalReceived} />
        <Stat label="Forwarded" value={totalForwarded} />
        <Stat label="Blocked" value={spamBlocked} />
        <Stat label="Replied" value={totalSent} />
      </StatList>
    </SectionCard>
  );
};

/** The figures of the mask's mail day by day. */
const MaskDays = ({ mask }: OfMask) => {
  const insights = useFeature(createInsights);
  const { maskId, figures, askedAt } = useObservable(insights.view$);
  useEffect(() => {
    const before = insights.view$.value.maskId;
    insights.selectMask(mask.id);
    const close = insights.open();
    return () => {
      close();
      insights.selectMask(before);
    };
  }, [insights, mask.id]);
  if (maskId !== mask.id || askedAt === null || figures.byDay === undefined || figures.total === 0)
    return null;
  return <DailyMail figures={figures} now={askedAt} />;
};

const inHead: readonly MaskActionName[] = ["write", "block", "held", "mailbox"];

/** What can be done with the mask, besides switching it and copying its address. */
const MaskActions = ({ mask, onEdit }: OfMask & { readonly onEdit: () => void }) => (
  <ButtonRow>
    <Button size="small" onPress={onEdit}>
      {maskActions.edit.label}
    </Button>
    {inHead
      .map((name): MaskAction => maskActions[name])
      .filter((action) => canBeDone(action, mask))
      .map((action) => (
        <ButtonLink key={labelOf(action, mask)} size="small" href={addressOf(action, mask)}>
          {labelOf(action, mask)}
        </ButtonLink>
      ))}
  </ButtonRow>
);

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

type Part = readonly [name: string, show: (of: PartProps) => ReactNode];

/** What is known of the mask, and what comes of its mail: beside each other on a wide screen. */
const columns: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  [
    "about",
    [
      ["mask figures", ({ mask }) => <MaskFigures mask={mask} />],
      ["mask rules", ({ mask }) => <MaskRulesCard mask={mask} />],
      [
        "mask senders",
        ({ mask, onEdit }) => <MaskSendersCard mask={mask} onChange={() => onEdit("senders")} />,
      ],
      ["mask correspondents", ({ mask }) => <MaskCorrespondents mask={mask} />],
      ["mask lists", ({ mask }) => <MaskLists mask={mask} />],
    ],
  ],
  [
    "mail",
    [
      ["mask days", ({ mask }) => <MaskDays mask={mask} />],
      ["mask history", ({ mask }) => <MaskHistory mask={mask} />],
    ],
  ],
];

interface ShownMaskProps extends OfMask {
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

const ShownMask = ({ mask, heading }: ShownMaskProps) => {
  const editing = useLazyOpening<{ readonly group: EditGroup | undefined }>(editDialog);
  const { lose } = useFocusLoss(editing.isOpen, () => heading.current?.focus());
  const EditMaskDialog = editDialog.loaded();
  const edit = (group?: EditGroup): void => editing.open({ group });
  return (
    <>
      <MaskHead mask={mask} heading={heading}>
        <MaskActions mask={mask} onEdit={() => edit()} />
      </MaskHead>
      <div className={pageStyles.columns}>
        {columns.map(([column, parts]) => (
          <div key={column} className={panels.tab}>
            {parts.map(([name, show]) => (
              <Guarded key={name} part={name}>
                {show({ mask, onEdit: edit })}
              </Guarded>
            ))}
          </div>
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

/** Everything about one mask: its figures, its rules, whom it exchanges mail with, and what happened to its mail. */
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
  usePartTitle(mask ? maskName(mask) : null);
  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      {mask ? (
        <ShownMask key={mask.id} mask={mask} heading={heading} />
      ) : (
        <PageHead title="Mask" titleRef={heading} />
      )}
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
