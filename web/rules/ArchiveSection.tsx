import { useEffect, useState } from "react";
import type { App } from "../../core/app.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { type PartOf, useLatePart } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { useArrival } from "../places/useArrival.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { DownloadIcon } from "../ui/icons/DownloadIcon.tsx";
import { MailIcon } from "../ui/icons/MailIcon.tsx";
import { TrashIcon } from "../ui/icons/TrashIcon.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { saveFile } from "../ui/saveFile.ts";
import { exactMoment } from "../wording/moments.ts";
import { sizeOf } from "../wording/sizes.ts";
import styles from "./ArchiveSection.module.css";
import tab from "./RulesTab.module.css";

type Archive = PartOf<App["archive"]>;
type Page = NonNullable<Archive["view$"]["value"]["page"]>;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const mailWindow = makeChunk(
  () => import("../encryption/MailWindow.tsx"),
  (module) => module.MailWindow,
);

interface MailRowProps {
  readonly mail: Page["mails"][number];
  readonly archive: Archive;
  readonly onOpen: (content: Uint8Array<ArrayBuffer>) => void;
  readonly onDelete: () => void;
}

const MailRow = ({ mail, archive, onOpen, onDelete }: MailRowProps) => {
  const when = exactMoment(Date.parse(mail.archived));
  const size = sizeOf(mail.size);
  const name = `the mail of ${when}, ${size}`;
  const take = useAction(archive.take, {
    onSuccess: (content) =>
      saveFile(`mail-${mail.archived.slice(0, 10)}-${mail.id}.eml`, bytesOf(content), "message/rfc822"),
  });
  const open = useAction(archive.take, { onSuccess: (content) => onOpen(bytesOf(content)) });
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={mail.read ? undefined : styles.unread}>{when}</span>
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
        isPending={take.isRunning}
        onPress={() => take.run(mail.id)}
      />
      <IconButton label={`Delete ${name}`} icon={<TrashIcon size={18} />} onPress={onDelete} />
    </li>
  );
};

const ArchiveHeading = () => {
  const heading = useArrival<HTMLHeadingElement>("archive");
  return (
    <h2 id="archive" ref={heading} tabIndex={-1}>
      Archived mail
    </h2>
  );
};

const Known = ({ archive, maskId }: { readonly archive: Archive; readonly maskId: string }) => {
  const { page, sentence } = useObservable(archive.view$);
  const [toDelete, setToDelete] = useState<string | null>(null);
  const reading = useOpening<Uint8Array<ArrayBuffer>>();
  const remove = useAction(archive.remove, {
    onSuccess: () => setToDelete(null),
    onProblem: () => setToDelete(null),
  });
  const refresh = useAction(archive.refresh);
  const older = useAction(archive.showOlder);
  useEffect(() => archive.open(maskId), [archive, maskId]);

  const failure = (
    <ProblemBanner
      problem={{ sentence }}
      action={
        <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
          Try Again
        </Button>
      }
    />
  );
  if (page === null) return failure;
  if (page.mails.length === 0)
    return (
      <section className={tab.section} aria-labelledby="archive">
        <ArchiveHeading />
        <p className={tab.text}>Rules of this mask have archived nothing that is still here.</p>
        {failure}
      </section>
    );
  return (
    <section className={tab.section} aria-labelledby="archive">
      <ArchiveHeading />
      <p className={tab.text}>
        Kept by rules of this mask instead of being forwarded. Your archive holds {sizeOf(page.storage.used)}{" "}
        of {sizeOf(page.storage.limit)}.
      </p>
      <ul className={styles.list}>
        {page.mails.map((mail) => (
          <MailRow
            key={mail.id}
            mail={mail}
            archive={archive}
            onOpen={reading.open}
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
      {reading.wanted && (
        <Late
          chunk={mailWindow}
          skeleton={null}
          mail={reading.wanted.about}
          isOpen={reading.isOpen}
          onClose={reading.close}
        />
      )}
      <ConfirmDialog
        isOpen={toDelete !== null}
        title="Delete this mail?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        isDanger
        isPending={remove.isRunning}
        onConfirm={() => toDelete !== null && remove.run(toDelete)}
        onCancel={() => setToDelete(null)}
      >
        <p>It is in no other place. Download it first if you may want it. This cannot be undone.</p>
      </ConfirmDialog>
    </section>
  );
};

/** What a mask's rules have archived: to open, to download and to delete. */
export const ArchiveSection = ({ maskId }: { readonly maskId: string }) => {
  const { archive } = useApp();
  const { part } = useLatePart(archive);
  return part ? <Known archive={part} maskId={maskId} /> : null;
};
