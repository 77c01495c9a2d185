import { useEffect, useState } from "react";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import type { Held } from "../../../core/held/held.ts";
import type { HeldMail } from "../../../core/held/heldMail.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select } from "../../ui/form/Select.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { subjectOf } from "./heldTexts.ts";

interface SendElsewhereDialogProps {
  readonly mail: HeldMail;
  readonly held: Held;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Sends a held mail to another confirmed address of the account. */
export const SendElsewhereDialog = ({ mail, held, isOpen, onClose }: SendElsewhereDialogProps) => {
  const destinations = useFeature(createDestinations);
  const list = useObservable(destinations.list$);
  const load = useAction(destinations.refresh);
  const release = useAction(held.release, { onSuccess: onClose });
  const [chosen, setChosen] = useState<string>();
  const { run } = load;
  useEffect(() => run(), [run]);
  const addresses = (list ?? []).filter(
    ({ email, status }) => status === "confirmed" && email !== mail.recipient,
  );
  const to = chosen ?? addresses[0]?.email;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Send elsewhere"
      size="small"
      isPending={release.isRunning}
      footer={
        <>
          <Button onPress={onClose} isDisabled={release.isRunning}>
            Cancel
          </Button>
          <Button
            variant="primary"
            onPress={() => to !== undefined && release.run(mail, to)}
            isDisabled={to === undefined}
            isPending={release.isRunning}
            pendingLabel="Sending…"
          >
            Send
          </Button>
        </>
      }
    >
      <p className={styles.text}>“{subjectOf(mail)}” goes to the address you choose, this once.</p>
      <RetryBanner
        problem={list === null ? load.problem : null}
        onRetry={() => run()}
        isRetrying={load.isRunning}
      />
      {list !== null && addresses.length === 0 && (
        <p>
          You have no other confirmed address. Add one under Addresses in Settings, and open the link in the
          confirmation mail.
        </p>
      )}
      {addresses.length > 0 && (
        <Select
          label="Address"
          options={addresses.map(({ email }) => ({ value: email, label: email }))}
          value={to}
          onChange={setChosen}
        />
      )}
      <ProblemBanner problem={release.problem} />
    </Dialog>
  );
};
