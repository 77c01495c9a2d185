import { useEffect, useState } from "react";
import { type LastMail, lastMailLimits } from "../../../core/lastMails/lastMailEndpoints.ts";
import { createLastMails } from "../../../core/lastMails/lastMails.ts";
import { statisticsOf } from "../../../core/masks/mask.ts";
import { exactTime } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import styles from "./LastMails.module.css";

/** The link to the keys in Settings. */
const KeySettings = () => (
  <TargetLink size="small" href={addressText(["settings", "security"])}>
    Key settings
  </TargetLink>
);

/** The switch that keeps the last mails; without a key it cannot be switched on. */
export const LastMailsSwitch = () => {
  const lastMails = useFeature(createLastMails);
  const { isOn, hasKey } = useObservable(lastMails.setting$);
  const [isAsking, setAsking] = useState(false);
  const turn = useAction(lastMails.turn, {
    onSuccess: () => setAsking(false),
    onProblem: () => setAsking(false),
  });
  return (
    <>
      <Switch
        label={`Keep my last emails for ${lastMailLimits.hours} hours to test rules`}
        description={
          hasKey || isOn
            ? `At most ${lastMailLimits.perMask} of a mask, encrypted to your key before they are stored. Switching this off deletes them.`
            : "Mail is kept only if it can be encrypted. Set up a key in Settings first."
        }
        isOn={isOn === true}
        isDisabled={isOn === null || !(hasKey || isOn)}
        isPending={turn.isRunning}
        onChange={(next) => (next ? turn.run(true) : setAsking(true))}
      />
      {isOn !== null && !hasKey && (
        <span>
          <KeySettings />
        </span>
      )}
      <ProblemBanner problem={turn.problem} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Stop keeping mail?"
        confirmLabel="Switch off and delete"
        pendingLabel="Deleting…"
        isDanger
        isPending={turn.isRunning}
        onConfirm={() => turn.run(false)}
        onCancel={() => setAsking(false)}
      >
        <p>The emails kept to test rules are deleted. Forwarded mail is not affected.</p>
      </ConfirmDialog>
    </>
  );
};

interface LastMailChoiceProps {
  readonly maskId: string;
  /** null when the tested mail is none of them. */
  readonly chosen: string | null;
  readonly onChoose: (mail: LastMail, bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Lists the last mails of a mask, and decrypts the chosen one on this device. Renders nothing while none are kept. */
export const LastMailChoice = ({ maskId, chosen, onChoose }: LastMailChoiceProps) => {
  const lastMails = useFeature(createLastMails);
  const { isOn } = useObservable(lastMails.setting$);
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [listed, setListed] = useState<{ readonly of: string; readonly mails: readonly LastMail[] } | null>(
    null,
  );
  const list = useAction(lastMails.list, { onSuccess: (mails) => setListed({ of: maskId, mails }) });
  const [wanted, setWanted] = useState<LastMail | null>(null);
  const open = useAction(lastMails.open, {
    onSuccess: (bytes) => {
      if (wanted) onChoose(wanted, bytes);
    },
  });
  const mask = all.find(({ id }) => id === maskId);
  const received = mask ? statisticsOf(mask).totalReceived : 0;
  const { run } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each mail that arrives changes the list
  useEffect(() => {
    if (isOn) run(maskId);
  }, [isOn, run, maskId, received]);

  if (isOn !== true) return null;
  const mails = listed?.of === maskId ? listed.mails : null;
  if (list.problem)
    return <RetryBanner problem={list.problem} onRetry={() => run(maskId)} isRetrying={list.isRunning} />;
  if (mails === null)
    return (
      <p className={styles.saw} role="status">
        Loading the last emails…
      </p>
    );
  if (mails.length === 0)
    return (
      <p className={styles.saw}>
        No mail of the last {lastMailLimits.hours} hours is kept for this mask yet.
      </p>
    );
  return (
    <>
      <Select
        label="One of the last emails"
        placeholder="Choose an email"
        value={chosen ?? undefined}
        isDisabled={open.isRunning}
        onChange={(id) => {
          const mail = mails.find((one) => one.id === id);
          if (!mail) return;
          setWanted(mail);
          open.run(maskId, id);
        }}
        options={mails.map(({ id, received: at, size }) => ({
          value: id,
          label: exactTime(Date.parse(at)),
          description:
            size > lastMailLimits.bytes
              ? `${formatBytes(size)}, its first ${lastMailLimits.bytes / 1024} kB`
              : formatBytes(size),
        }))}
      />
      {open.isRunning && (
        <p className={styles.saw} role="status">
          Opening the email…
        </p>
      )}
      <ProblemBanner problem={open.problem} action={<KeySettings />} />
    </>
  );
};
