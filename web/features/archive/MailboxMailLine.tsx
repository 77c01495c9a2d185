import { useId } from "react";
import type { Mailbox, MailboxMail } from "../../../core/archive/mailbox.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { exactTime, shortDate } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { saveFile } from "../../ui/files.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { MailLine } from "../../ui/layout/MailLine.tsx";
import panels from "../../ui/layout/Panels.module.css";

/** The name of a mail in texts: its subject where it was opened here, else when it came. */
export const titleOf = ({ summary, archived }: MailboxMail): string =>
  summary === null ? `Email of ${exactTime(Date.parse(archived))}` : summary.subject || "No subject";

/** A sender as a forwarded mail shows it, without the reverse address. */
export const senderName = (from: string): string => from.replace(/\s*<[^<>]*>\s*$/, "") || from;

interface MailboxMailLineProps {
  readonly mail: MailboxMail;
  readonly mailbox: Mailbox;
  readonly isOnline: boolean;
  /** True if it is open at first. */
  readonly isOpen: boolean;
  readonly onRead: () => void;
  readonly onDelete: () => void;
}

/** One mail that is kept in the app, in a line that opens to what else can be done with it. */
export const MailboxMailLine = ({
  mail,
  mailbox,
  isOnline,
  isOpen,
  onRead,
  onDelete,
}: MailboxMailLineProps) => {
  const { masks } = useSignedIn();
  const isNarrow = useObservable(useApp().page.narrow$);
  const { all } = useObservable(masks.view$);
  const titleId = useId();
  const download = useAction(mailbox.download, {
    onSuccess: (content) =>
      saveFile(`mail-${mail.archived.slice(0, 10)}-${mail.id}.eml`, content, "message/rfc822"),
  });
  const mask = all.find(({ id }) => id === mail.maskId);
  const isReadable = isOnline || mail.isHere;
  const readButton = (
    <Button size="small" onPress={onRead} isDisabled={!isReadable} aria-describedby={titleId}>
      Read
    </Button>
  );
  return (
    <MailLine
      heading="h2"
      titleId={titleId}
      at={mail.archived}
      time={shortDate(mail.archived)}
      from={mail.summary ? senderName(mail.summary.from) : "Encrypted"}
      to={maskName(mask)}
      badge={!mail.read && <Badge kind="accent">Unread</Badge>}
      note={titleOf(mail)}
      after={!isNarrow && readButton}
      isOpenAtFirst={isOpen}
    >
      <p className={panels.muted}>
        {[
          maskText(mask),
          exactTime(Date.parse(mail.archived)),
          ...(mail.until === undefined ? [] : [`kept until ${shortDate(mail.until)}`]),
          formatBytes(mail.size),
        ].join(" · ")}
      </p>
      <ProblemBanner problem={download.problem} />
      <ButtonRow>
        {isNarrow && readButton}
        <Button
          size="small"
          onPress={() => download.run(mail.id)}
          isPending={download.isRunning}
          isDisabled={!isReadable}
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
    </MailLine>
  );
};
