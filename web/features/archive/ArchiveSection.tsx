import { useEffect, useState } from "react";
import { type Archive, createArchive } from "../../../core/archive/archive.ts";
import { decodeBase64 } from "../../../core/kernel/base64.ts";
import { exactTime } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { useFocusTarget } from "../../navigation/focus.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { saveFile } from "../../ui/files.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { DownloadIcon } from "../../ui/icons/DownloadIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import styles from "./ArchiveSection.module.css";

type Page = NonNullable<Archive["view$"]["value"]["page"]>;

const mailDialog = createChunk(
  () => import("../encryption/mail/MailReader.tsx"),
  (module) => module.ArchivedMailDialog,
);

interface MailRowProps {
  readonly mail: Page["mails"][number];
  readonly archive: Archive;
  readonly onOpen: (content: Uint8Array<ArrayBuffer>) => void;
  readonly onDelete: () => void;
}

const MailRow = ({ mail, archive, onOpen, onDelete }: MailRowProps) => {
  const archivedAt = exactTime(Date.parse(mail.archived));
  const size = formatBytes(mail.size);
  const name = `the email of ${archivedAt}, ${size}`;
  const download = useAction(archive.fetchContent, {
    onSuccess: (content) =>
      saveFile(`mail-${mail.archived.slice(0, 10)}-${mail.id}.eml`, decodeBase64(content), "message/rfc822"),
  });
  const open = useAction(archive.fetchContent, { onSuccess: (content) => onOpen(decodeBase64(content)) });
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={mail.read ? undefined : styles.unread}>{archivedAt}</span>
        <span className={styles.muted}>
          {size}
          {!mail.read && ", unread"}
        </span>
      </span>
      <IconButton
        label={`Open ${name}`}
        icon={<MailIcon size={18} />}
        isPending={open.isRunning}
        onPress={() => open.run(mail.id)}
      />
      <IconButton
        label={`Download ${name}`}
        icon={<DownloadIcon size={18} />}
        isPending={download.isRunning}
        onPress={() => download.run(mail.id)}
      />
      <IconButton label={`Delete ${name}`} icon={<TrashIcon size={18} />} onPress={onDelete} />
    </li>
  );
};

const ArchiveHeading = () => {
  const heading = useFocusTarget<HTMLHeadingElement>("archive");
  return (
    <h2 id="archive" ref={heading} tabIndex={-1}>
      Archived mail
    </h2>
  );
};

/** Lists the mails that rules of a mask have archived, to open, download and delete. */
export const ArchiveSection = ({ maskId }: { readonly maskId: string }) => {
  const archive = useFeature(createArchive);
  const { page, message } = useObservable(archive.view$);
  const [toDelete, setToDelete] = useState<string | null>(null);
  const { opened, isOpen, open, close } = useOpening<Uint8Array<ArrayBuffer>>();
  const remove = useAction(archive.remove, {
    onSuccess: () => setToDelete(null),
    onProblem: () => setToDelete(null),
  });
  const refresh = useAction(archive.refresh);
  const older = useAction(archive.showOlder);
  useEffect(() => archive.open(maskId), [archive, maskId]);

  const failure = (
    <RetryBanner problem={{ message }} onRetry={() => refresh.run()} isRetrying={refresh.isRunning} />
  );
  if (page === null) return failure;
  if (page.mails.length === 0)
    return (
      <section className={styles.section} aria-labelledby="archive">
        <ArchiveHeading />
        <p className={styles.muted}>No archived mail of this mask.</p>
        {failure}
      </section>
    );
  return (
    <section className={styles.section} aria-labelledby="archive">
      <ArchiveHeading />
      <p className={styles.muted}>
        Kept here by rules, or because mail of this mask stays in the app. Your archive holds{" "}
        {formatBytes(page.storage.used)} of {formatBytes(page.storage.limit)}.
      </p>
      <ul className={styles.list}>
        {page.mails.map((mail) => (
          <MailRow
            key={mail.id}
            mail={mail}
            archive={archive}
            onOpen={open}
            onDelete={() => setToDelete(mail.id)}
          />
        ))}
      </ul>
      {failure}
      {page.more && (
        <Button onPress={() => older.run()} isPending={older.isRunning}>
          Show older
        </Button>
      )}
      {opened && (
        <Lazy chunk={mailDialog} skeleton={null}>
          {(ArchivedMailDialog) => (
            <ArchivedMailDialog mail={opened.target} isOpen={isOpen} onClose={close} />
          )}
        </Lazy>
      )}
      <ConfirmDialog
        isOpen={toDelete !== null}
        title="Delete this email?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        isDanger
        isPending={remove.isRunning}
        onConfirm={() => toDelete !== null && remove.run(toDelete)}
        onCancel={() => setToDelete(null)}
      >
        <p>This is the only copy. Download it first if you may need it. This cannot be undone.</p>
      </ConfirmDialog>
    </section>
  );
};
