import { useId } from "react";
import type { Mailbox, MailboxMail } from "../../../core/archive/mailbox.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { exactTime, shortDate } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { saveFile } from "../../ui/files.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";

/** The name of a mail in texts: its subject where it was opened here, else when it came. */
export const titleOf = ({ summary, archived }: MailboxMail): string =>
  summary === null ? `Mail of ${exactTime(Date.parse(archived))}` : summary.subject || "No subject";

/** A sender as a forwarded mail shows it, without the reverse address. */
export const senderName = (from: string): string => from.replace(/\s*<[^<>]*>\s*$/, "") || from;

interface MailboxMailCardProps {
  readonly mail: MailboxMail;
  readonly mailbox: Mailbox;
  readonly isOnline: boolean;
  readonly onRead: () => void;
  readonly onDelete: () => void;
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** One mail that is kept in the app. */
export const MailboxMailCard = ({ mail, mailbox, isOnline, onRead, onDelete }: MailboxMailCardProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const titleId = useId();
  const download = useAction(mailbox.download, {
    onSuccess: (content) =>
      saveFile(`mail-${mail.archived.slice(0, 10)}-${mail.id}.eml`, content, "message/rfc822"),
  });
  return (
    <Card as="li" aria-labelledby={titleId} className={styles.card}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.subject}>
          {titleOf(mail)}
        </h2>
        {!mail.read && <Badge kind="accent">Unread</Badge>}
      </div>
      <dl className={styles.facts}>
        {mail.summary && <Fact name="From" value={senderName(mail.summary.from)} />}
        <Fact name="Mask" value={maskText(all.find(({ id }) => id === mail.maskId))} />
        <Fact name="Came" value={exactTime(Date.parse(mail.archived))} />
        {mail.until !== undefined && <Fact name="Kept until" value={shortDate(mail.until)} />}
        <Fact name="Size" value={formatBytes(mail.size)} />
      </dl>
      <ProblemBanner problem={download.problem} />
      <ButtonRow>
        <Button
          size="small"
          variant="primary"
          onPress={onRead}
          isDisabled={!isOnline && !mail.isHere}
          aria-describedby={titleId}
        >
          Read
        </Button>
        <Button
          size="small"
          onPress={() => download.run(mail.id)}
          isPending={download.isRunning}
          isDisabled={!isOnline && !mail.isHere}
          aria-describedby={titleId}
        >
          Download
        </Button>
        <Button
          size="small"
          variant="quietDanger"
          onPress={onDelete}
          isDisabled={!isOnline}
          aria-describedby={titleId}
        >
          Delete
        </Button>
      </ButtonRow>
    </Card>
  );
};
