import { useEffect, useState } from "react";
import { createHeld, type Held } from "../../../core/held/held.ts";
import { type HeldMail, heldDays } from "../../../core/held/heldMail.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { createChunk } from "../../loading/chunk.ts";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { useLazyOpening, useOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { focusAgainMs, usePageHeading } from "../../navigation/usePageHeading.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { useSelection } from "../../react/useSelection.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import { PageHead } from "../../ui/layout/layout.tsx";
import { MailLines } from "../../ui/layout/MailLine.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { SenderLists } from "../senders/SenderLists.tsx";
import { HeldMailLine } from "./HeldMailLine.tsx";
import { HeldSelection } from "./HeldSelection.tsx";
import { subjectOf } from "./heldTexts.ts";
import { SendElsewhereDialog } from "./SendElsewhereDialog.tsx";

const readDialog = createChunk(
  () => import("./HeldMailDialog.tsx"),
  (module) => module.HeldMailDialog,
);

const HeldSkeleton = () => (
  <SkeletonRegion label="Loading the held mail" className={styles.list}>
    {["first", "second"].map((card) => (
      <Skeleton key={card} height="card" shape="block" />
    ))}
  </SkeletonRegion>
);

interface QuestionProps {
  readonly held: Held;
  /** The mail that is asked about; null while nothing is asked. */
  readonly mail: HeldMail | null;
  readonly onClose: () => void;
}

const DeleteQuestion = ({ held, mail, onClose }: QuestionProps) => {
  const remove = useAction(held.remove, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={mail !== null}
      title="Delete this email?"
      confirmLabel="Delete"
      pendingLabel="Deleting…"
      isDanger
      isPending={remove.isRunning}
      onConfirm={() => mail && remove.run(mail)}
      onCancel={onClose}
      problem={remove.problem}
    >
      {mail && <p className={styles.text}>“{subjectOf(mail)}” is in no other place.</p>}
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
};

const BlockQuestion = ({ held, mail, onClose }: QuestionProps) => {
  const block = useAction(held.block, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={mail !== null}
      title="Block this sender?"
      confirmLabel="Block sender"
      pendingLabel="Blocking…"
      isDanger
      isPending={block.isRunning}
      onConfirm={() => mail && block.run(mail)}
      onCancel={onClose}
      problem={block.problem}
    >
      {mail && (
        <p className={styles.text}>
          This email is deleted, and what {mail.from?.address} sends to this mask from now on is refused. The
          page of the mask's held mail lists blocked senders, where you can unblock them.
        </p>
      )}
    </ConfirmDialog>
  );
};

interface HeldListProps {
  readonly held: Held;
  readonly mails: readonly HeldMail[];
  readonly targetId: string | undefined;
  readonly isDisabled: boolean;
  readonly onFocusLost: () => void;
}

/** The mails, and the dialogs for the decisions that need more than a button. */
const HeldList = ({ held, mails, targetId, isDisabled, onFocusLost }: HeldListProps) => {
  const elsewhere = useOpening<HeldMail>();
  const reading = useLazyOpening<HeldMail>(readDialog);
  const HeldMailDialog = readDialog.loaded();
  const selection = useSelection(mails.map(({ id }) => id));
  const [toDelete, setToDelete] = useState<HeldMail | null>(null);
  const [toBlock, setToBlock] = useState<HeldMail | null>(null);
  const closeQuestion = (): void => {
    setToDelete(null);
    setToBlock(null);
    setTimeout(() => {
      if (document.activeElement === document.body) onFocusLost();
    }, focusAgainMs);
  };
  return (
    <>
      <HeldSelection
        held={held}
        mails={mails}
        selection={selection}
        isDisabled={isDisabled}
        onFocusLost={onFocusLost}
      />
      <MailLines label="Held mail">
        {mails.map((mail) => (
          <HeldMailLine
            key={mail.id}
            mail={mail}
            held={held}
            isTarget={mail.id === targetId}
            isOpen={mails.length === 1}
            isDisabled={isDisabled}
            isSelected={selection.has(mail.id)}
            onSelect={(isSelected, isRange) => selection.toggle(mail.id, isSelected, isRange)}
            onRead={() => reading.open(mail)}
            onSendElsewhere={() => elsewhere.open(mail)}
            onBlock={() => setToBlock(mail)}
            onDelete={() => setToDelete(mail)}
          />
        ))}
      </MailLines>
      {HeldMailDialog && reading.opened && (
        <GuardedDialog key={reading.opened.key} part="held mail" onClose={reading.close}>
          <HeldMailDialog
            mail={reading.opened.target}
            held={held}
            isDisabled={isDisabled}
            isOpen={reading.isOpen}
            onClose={reading.close}
            onDelete={() => {
              reading.close();
              if (reading.opened) setToDelete(reading.opened.target);
            }}
          />
        </GuardedDialog>
      )}
      {elsewhere.opened && (
        <SendElsewhereDialog
          key={elsewhere.opened.key}
          mail={elsewhere.opened.target}
          held={held}
          isOpen={elsewhere.isOpen}
          onClose={elsewhere.close}
        />
      )}
      <DeleteQuestion held={held} mail={toDelete} onClose={closeQuestion} />
      <BlockQuestion held={held} mail={toBlock} onClose={closeQuestion} />
    </>
  );
};

/** Lists the mail that is kept for the user's decision: of one mask, or of all; `mail` names one to begin with. */
export const HeldPage = ({ params, onShow, backTo, onLeave }: PageProps) => {
  const { masks } = useSignedIn();
  const held = useFeature(createHeld);
  const { mails, more, leftOut, message } = useObservable(held.view$);
  const outdated = useObservable(held.outdated$);
  const { all } = useObservable(masks.view$);
  const heading = usePageHeading(mails?.length ?? 0);
  const refresh = useAction(held.refresh);
  const older = useAction(held.showOlder);
  const maskId = params["mask"] ?? null;
  const mask = all.find(({ id }) => id === maskId);
  useEffect(() => held.open(maskId), [held, maskId]);

  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      <PageHead title="Held mail" titleRef={heading}>
        {maskId !== null && (
          <ButtonLink size="small" href={addressText(["held"])} onFollow={() => onShow({})}>
            Show all masks
          </ButtonLink>
        )}
      </PageHead>
      <p className={styles.intro}>
        {maskId !== null && <>Mail of {mask ? maskText(mask) : "a deleted mask"}. </>}
        Mail waiting for you: new or suspicious senders, failed deliveries, refused replies. Deleted after{" "}
        {heldDays} days.
      </p>
      {mails === null ? (
        <RetryBanner problem={{ message }} onRetry={() => refresh.run()} isRetrying={refresh.isRunning} />
      ) : (
        <OutdatedNotice
          outdated={outdated}
          onRefresh={() => refresh.run()}
          isRefreshing={refresh.isRunning}
        />
      )}
      {leftOut !== "" && <p className={styles.intro}>{leftOut}</p>}
      {mails === null && message === "" && <HeldSkeleton />}
      {mails?.length === 0 && leftOut === "" && (
        <EmptyState title="No mail is held" illustration={<MailIcon size={32} />}>
          All mail that has arrived was delivered, refused or deleted.
        </EmptyState>
      )}
      {mails !== null && mails.length > 0 && (
        <HeldList
          held={held}
          mails={mails}
          targetId={params["mail"]}
          isDisabled={outdated !== null}
          onFocusLost={() => heading.current?.focus({ preventScroll: true })}
        />
      )}
      {maskId !== null && outdated === null && (
        <SenderLists maskId={maskId} mailIds={(mails ?? []).map(({ id }) => id).join(" ")} />
      )}
      {more && (
        <Button onPress={() => older.run()} isPending={older.isRunning} isDisabled={outdated !== null}>
          Show older
        </Button>
      )}
    </>
  );
};
