import { useId } from "react";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./AiSection.module.css";

interface PrivacyNoticeProps {
  /** The host of an external model; undefined when mail content stays on this server. */
  readonly externalModel: string | undefined;
  readonly isAcknowledged: boolean;
  readonly onAcknowledge: (isAcknowledged: boolean) => void;
  readonly error: string | undefined;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Explains what is read and where; content access stays off until the user acknowledges it (SG3). */
export const PrivacyNotice = (props: PrivacyNoticeProps) => {
  const { externalModel, isAcknowledged, onAcknowledge, error, isPending, onConfirm, onCancel } = props;
  const id = useId();
  return (
    <section className={styles.notice} aria-labelledby={id}>
      <h4 id={id} className={styles.noticeName}>
        Privacy notice
      </h4>
      <ul className={styles.facts}>
        <li>
          To sort your mail, a program on this server reads the header and the subject of each mail while it
          passes.
        </li>
        <li>
          It keeps the category and counts. It keeps neither the subject nor the text, and no person reads
          them.
        </li>
        <li>
          {externalModel === undefined ? (
            "Nothing of your mail is sent to anybody else for this."
          ) : (
            <>
              This server also asks a model at <strong>{externalModel}</strong>: what is read is sent there.
            </>
          )}
        </li>
        <li>
          You can turn it off at any time. What was found out about your mail until then is deleted with it.
        </li>
      </ul>
      <Checkbox
        label="I have read this and agree that my mail is looked at in this way."
        isChecked={isAcknowledged}
        onChange={onAcknowledge}
        error={error}
        isRequired
      />
      <ButtonRow>
        <Button onPress={onCancel} isDisabled={isPending}>
          Cancel
        </Button>
        <Button variant="primary" onPress={onConfirm} isPending={isPending} pendingLabel="Turning on…">
          Turn on content access
        </Button>
      </ButtonRow>
    </section>
  );
};
