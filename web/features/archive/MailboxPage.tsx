import { useEffect, useState } from "react";
import { createMailbox, type Mailbox, type MailboxMail } from "../../../core/archive/mailbox.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { formatBytes } from "../../format/numbers.ts";
import { createChunk } from "../../loading/chunk.ts";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { focusAgainMs, usePageHeading } from "../../navigation/usePageHeading.ts";
import { useAction, useTask } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { saveFile } from "../../ui/files.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import { ButtonRow, PageHead } from "../../ui/layout/layout.tsx";
import { MailLines } from "../../ui/layout/MailLine.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { MailboxMailLine, titleOf } from "./MailboxMailLine.tsx";

const readDialog = createChunk(
  () => import("./MailboxMailDialog.tsx"),
  (module) => module.MailboxMailDialog,
);

interface MailboxListProps {
  readonly mailbox: Mailbox;
  readonly mails: readonly MailboxMail[];
  readonly isOnline: boolean;
  readonly onFocusLost: () => void;
}

/** The mails, and the dialogs to read and to delete one. */
const MailboxList = ({ mailbox, mails, isOnline, onFocusLost }: MailboxListProps) => {
  const reading = useLazyOpening<MailboxMail>(readDialog);
  const MailboxMailDialog = readDialog.loaded();
  const [toDelete, setToDelete] = useState<MailboxMail | null>(null);
  const closeQuestion = (): void => {
    setToDelete(null);
    setTimeout(() => {
      if (document.activeElement === document.body) onFocusLost();
    }, focusAgainMs);
  };
  const remove = useAction(mailbox.remove, { onSuccess: closeQuestion });
  return (
    <>
      <MailLines label="Mail in the app">
        {mails.map((mail) => (
          <MailboxMailLine
            key={mail.id}
            mail={mail}
            mailbox={mailbox}
            isOnline={isOnline}
            isOpen={mails.length === 1}
            onRead={() => reading.open(mail)}
            onDelete={() => setToDelete(mail)}
          />
        ))}
      </MailLines>
      {MailboxMailDialog && reading.opened && (
        <GuardedDialog key={reading.opened.key} part="mail" onClose={reading.close}>
          <MailboxMailDialog
            mail={reading.opened.target}
            mailbox={mailbox}
            isOnline={isOnline}
            isOpen={reading.isOpen}
            onClose={reading.close}
            onDelete={() => {
              reading.close();
              if (reading.opened) setToDelete(reading.opened.target);
            }}
          />
        </GuardedDialog>
      )}
      <ConfirmDialog
        isOpen={toDelete !== null}
        title="Delete this email?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        isDanger
        isPending={remove.isRunning}
        onConfirm={() => toDelete && remove.run(toDelete.id)}
        onCancel={closeQuestion}
        problem={remove.problem}
      >
        {toDelete && (
          <p className={styles.text}>“{titleOf(toDelete)}” is kept nowhere else. This cannot be undone.</p>
        )}
      </ConfirmDialog>
    </>
  );
};

const MailboxSkeleton = () => (
  <SkeletonRegion label="Loading the mail" className={styles.list}>
    {["first", "second"].map((card) => (
      <Skeleton key={card} height="card" shape="block" />
    ))}
  </SkeletonRegion>
);

const NoMail = () => (
  <EmptyState title="No mail in the app yet" illustration={<MailIcon size={32} />}>
    To keep the mail of a mask here, encrypted to your key, edit the mask and choose “Stays in the app” under
    Delivery. A rule can keep single emails here with “Archive”.
  </EmptyState>
);

/** Lists the mail that stays in the app: of one mask, or of all. */
export const MailboxPage = ({ params, onShow, backTo, onLeave }: PageProps) => {
  const { masks } = useSignedIn();
  const mailbox = useFeature(createMailbox);
  const { mails, total, searchable, more, storage, search, message, isOnline } = useObservable(mailbox.view$);
  const { all } = useObservable(masks.view$);
  const heading = usePageHeading(total);
  const refresh = useAction(mailbox.refresh);
  const older = useAction(mailbox.showOlder);
  const { run: openListed, isRunning: isOpening } = useTask(mailbox.openListed);
  const exporting = useAction(mailbox.exportListed, {
    onSuccess: (content) => saveFile("mail.mbox", content, "application/mbox"),
  });
  const maskId = params["mask"] ?? null;
  const mask = all.find(({ id }) => id === maskId);
  useEffect(() => mailbox.open(maskId), [mailbox, maskId]);
  useEffect(() => {
    if (total > 0) openListed();
  }, [total, openListed]);

  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      <PageHead title="Mail in the app" titleRef={heading}>
        {maskId !== null && (
          <ButtonLink size="small" href={addressText(["mailbox"])} onFollow={() => onShow({})}>
            Show all masks
          </ButtonLink>
        )}
      </PageHead>
      <p className={styles.intro}>
        {maskId !== null && <>Mail of {mask ? maskText(mask) : "a deleted mask"}. </>}
        {storage && (
          <>
            {formatBytes(storage.used)} of {formatBytes(storage.limit)} used. When it is full, mail goes to
            your inbox.
          </>
        )}
      </p>
      <RetryBanner problem={{ message }} onRetry={() => refresh.run()} isRetrying={refresh.isRunning} />
      {mails === null && message === "" && <MailboxSkeleton />}
      {mails !== null && total === 0 && <NoMail />}
      {total > 0 && (
        <>
          <div className={styles.intro}>
            <SearchField
              label="Search in opened mail"
              placeholder="Search in opened mail"
              value={search}
              onChange={mailbox.search}
            />
          </div>
          {search.trim() !== "" && (
            <p className={styles.intro} role="status">
              {mails?.length === 0 ? "No mail found. " : `${mails?.length} found. `}
              {searchable < total &&
                `${total - searchable} of ${total} emails were not opened on this device and are not searched.`}
            </p>
          )}
          {isOpening && (
            <p className={styles.intro} role="status">
              Opening mail on this device…
            </p>
          )}
        </>
      )}
      {mails !== null && mails.length > 0 && (
        <MailboxList
          mailbox={mailbox}
          mails={mails}
          isOnline={isOnline}
          onFocusLost={() => heading.current?.focus({ preventScroll: true })}
        />
      )}
      <ProblemBanner problem={exporting.problem} />
      <ButtonRow>
        {more && (
          <Button onPress={() => older.run()} isPending={older.isRunning} isDisabled={!isOnline}>
            Show older
          </Button>
        )}
        {total > 0 && (
          <Button
            onPress={() => exporting.run()}
            isPending={exporting.isRunning}
            pendingLabel="Exporting…"
            isDisabled={!isOnline}
          >
            Export as mbox
          </Button>
        )}
      </ButtonRow>
    </>
  );
};
