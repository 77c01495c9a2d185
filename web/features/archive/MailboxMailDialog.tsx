import { useEffect, useState } from "react";
import type { Mailbox, MailboxMail } from "../../../core/archive/mailbox.ts";
import type { OpenedArchivedMail } from "../../../core/archive/openedMails.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import body from "../../ui/layout/DialogBody.module.css";
import styles from "../../ui/layout/MailList.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { MailView } from "../encryption/mail/MailView.tsx";
import { senderName } from "./MailboxMailLine.tsx";

interface MailboxMailDialogProps {
  readonly mail: MailboxMail;
  readonly mailbox: Mailbox;
  readonly isOnline: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

/** The address of a sender as a mail shows it: "Shop <re-…@masks.example>", or the address alone. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

const answerTo = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`.trim());

const quoted = ({ from, text }: OpenedArchivedMail["opened"]): string =>
  text === null
    ? ""
    : `\n\n${senderName(from)} wrote:\n${text
        .trimEnd()
        .split(/\r?\n/)
        .map((line) => `> ${line}`)
        .join("\n")}`;

/** Shows a mail, opened on this device, and takes an answer to it, which leaves from its mask. */
export const MailboxMailDialog = ({
  mail,
  mailbox,
  isOnline,
  isOpen,
  onClose,
  onDelete,
}: MailboxMailDialogProps) => {
  const [shown, setShown] = useState<OpenedArchivedMail | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const read = useAction(mailbox.read, { onSuccess: setShown });
  const reply = useFormAction(mailbox.reply, { onSuccess: onClose });
  const { run } = read;
  useEffect(() => run(mail.id), [run, mail.id]);
  const send = (): void => {
    if (shown === null || answer === null) return;
    const { from, subject, messageId } = shown.opened;
    reply.run(mail.maskId, {
      to: addressIn(from),
      subject: answerTo(subject),
      text: answer,
      ...(messageId !== "" && { inReplyTo: messageId }),
    });
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={answer === null ? "Mail" : "Answer"}
      size="large"
      isPending={reply.isRunning}
      footer={
        <>
          {answer === null && (
            <Button variant="quietDanger" onPress={onDelete} isDisabled={!isOnline}>
              Delete
            </Button>
          )}
          <Button onPress={answer === null ? onClose : () => setAnswer(null)} isDisabled={reply.isRunning}>
            {answer === null ? "Close" : "Discard"}
          </Button>
          {answer === null ? (
            <Button
              variant="primary"
              onPress={() => shown && setAnswer(quoted(shown.opened))}
              isDisabled={!isOnline || shown === null}
            >
              Answer
            </Button>
          ) : (
            <Button variant="primary" onPress={send} isPending={reply.isRunning} isDisabled={!isOnline}>
              Send
            </Button>
          )}
        </>
      }
    >
      <RetryBanner problem={read.problem} onRetry={() => run(mail.id)} isRetrying={read.isRunning} />
      {shown === null && read.problem === null && (
        <SkeletonRegion label="Opening the email" className={styles.list}>
          <Skeleton height="card" shape="block" />
        </SkeletonRegion>
      )}
      {shown !== null && answer === null && <MailView mail={shown.opened} />}
      {shown !== null && answer !== null && (
        <div className={body.stack}>
          <p>
            To {senderName(shown.opened.from)}, from the mask: they see neither your own address nor your
            name.
          </p>
          <ProblemBanner problem={reply.problem} />
          <TextArea label="Your answer" rows={12} value={answer} onChange={setAnswer} />
        </div>
      )}
    </Dialog>
  );
};
