import { useEffect, useState } from "react";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import type { Held } from "../../../core/held/held.ts";
import type { HeldMail } from "../../../core/held/heldMail.ts";
import { decodeBase64 } from "../../../core/kernel/base64.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { MailReader } from "../encryption/mail/MailReader.tsx";
import { reasonOf, releaseLabel } from "./heldTexts.ts";

interface HeldMailDialogProps {
  readonly mail: HeldMail;
  readonly held: Held;
  /** True if the server cannot be asked to do anything. */
  readonly isDisabled: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

/** Shows a held mail as it would be sent, opened on this device with the keys that are here, and offers to decide about it. */
export const HeldMailDialog = ({
  mail,
  held,
  isDisabled,
  isOpen,
  onClose,
  onDelete,
}: HeldMailDialogProps) => {
  const encryption = useFeature(createEncryption);
  const [content, setContent] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const load = useAction(held.read, { onSuccess: (base64) => setContent(decodeBase64(base64)) });
  const release = useAction(held.release, { onSuccess: onClose });
  const { run } = load;
  useEffect(() => run(mail), [run, mail]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Held mail"
      size="large"
      isPending={release.isRunning}
      footer={
        <>
          <Button variant="quietDanger" onPress={onDelete} isDisabled={isDisabled || release.isRunning}>
            Delete
          </Button>
          <Button onPress={onClose} isDisabled={release.isRunning}>
            Close
          </Button>
          <Button
            variant="primary"
            onPress={() => release.run(mail)}
            isPending={release.isRunning}
            isDisabled={isDisabled}
          >
            {releaseLabel(mail)}
          </Button>
        </>
      }
    >
      <p className={styles.text}>
        {reasonOf(mail)}{" "}
        {mail.reason === "unsent"
          ? "It is shown as you wrote it; your own address is removed when it is sent."
          : "It is shown as your mail program would get it, and stays held while you read it."}
      </p>
      <ProblemBanner problem={release.problem} />
      <RetryBanner problem={load.problem} onRetry={() => run(mail)} isRetrying={load.isRunning} />
      {content === null && load.problem === null && (
        <SkeletonRegion label="Loading the email" className={styles.list}>
          <Skeleton height="card" shape="block" />
        </SkeletonRegion>
      )}
      {content !== null && <MailReader encryption={encryption} mail={content} />}
    </Dialog>
  );
};
