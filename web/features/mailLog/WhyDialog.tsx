import { describeStep, explainDetail, replyCode } from "../../../core/mailLog/explainEntry.ts";
import { type LogEntry, resultLabels } from "../../../core/mailLog/logEntry.ts";
import { exactTime } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { Button } from "../../ui/Button.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { correspondentText } from "./LogEntryItem.tsx";

const unread =
  "The details are encrypted, and their key is not on this device. Import the backup of your key under Settings to read them.";
const lost =
  "The details are not known: they could not be encrypted, because your key had expired or was revoked.";

interface WhyDialogProps {
  readonly entry: LogEntry;
  readonly mask: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Explains in plain sentences why a mail had its result, and what happened to it since. */
export const WhyDialog = ({ entry, mask, isOpen, onClose }: WhyDialogProps) => {
  const { at, result, detail, sealed, steps } = entry;
  const code = detail && replyCode(detail);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Why did this happen?"
      footer={<Button onPress={onClose}>Close</Button>}
    >
      <div className={styles.list}>
        <dl className={styles.facts}>
          <Fact name="Time" value={exactTime(Date.parse(at))} />
          <Fact name="Mask" value={mask} />
          <Fact name={entry.direction === "sent" ? "To" : "From"} value={correspondentText(entry)} />
          <Fact name="Result" value={resultLabels[result]} />
          {detail?.size !== undefined && <Fact name="Size" value={formatBytes(detail.size)} />}
        </dl>
        {detail ? (
          <ul className={styles.list} aria-label="Why">
            {explainDetail(detail).map((sentence) => (
              <li key={sentence} className={styles.text}>
                {sentence}
              </li>
            ))}
          </ul>
        ) : (
          <p className={styles.text}>{sealed === null ? lost : unread}</p>
        )}
        {code && (
          <p className={styles.text}>
            <a href={`/help/replies#${code}`} target="_blank" rel="noreferrer">
              What to do about {code}
            </a>
          </p>
        )}
        {steps.length > 0 && (
          <ol className={styles.list} aria-label="What happened then">
            {steps.map((step) => (
              <li key={`${step.at} ${describeStep(step)}`} className={styles.text}>
                <time dateTime={step.at}>{exactTime(Date.parse(step.at))}</time>: {describeStep(step)}
              </li>
            ))}
          </ol>
        )}
      </div>
    </Dialog>
  );
};
