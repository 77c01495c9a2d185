import { useId } from "react";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
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

const title = "Privacy notice";
const confirmLabel = "Agree and switch on";
const pendingLabel = "Switching on…";

/** Says what is read and where, with the box that confirms that it was read. */
const NoticeText = ({
  externalModel,
  isAcknowledged,
  onAcknowledge,
  error,
}: Pick<PrivacyNoticeProps, "externalModel" | "isAcknowledged" | "onAcknowledge" | "error">) => (
  <>
    <ul className={styles.facts}>
      <li>
        To sort your mail, a program on this server reads the header and the subject of each email while it
        passes.
      </li>
      <li>
        It keeps the category and counts. It keeps neither the subject nor the text, and no person reads them.
      </li>
      <li>
        {externalModel === undefined ? (
          "Your mail is sent to nobody else for this."
        ) : (
          <>
            This server also asks a model at <strong>{externalModel}</strong>: what is read is sent there.
          </>
        )}
      </li>
      <li>You can switch it off at any time. Switching it off deletes the categories.</li>
    </ul>
    <Checkbox
      label="I have read this and agree that my mail is read in this way."
      isChecked={isAcknowledged}
      onChange={onAcknowledge}
      error={error}
      isRequired
    />
  </>
);

/** Asks before content access is switched on; nothing is saved until the notice is acknowledged and confirmed (SG3). */
export const PrivacyDialog = ({
  isOpen,
  isPending,
  onConfirm,
  onCancel,
  ...notice
}: PrivacyNoticeProps & { readonly isOpen: boolean }) => (
  <FormDialog
    isOpen={isOpen}
    onClose={onCancel}
    title={title}
    isPending={isPending}
    onSubmit={onConfirm}
    submitLabel={confirmLabel}
    pendingLabel={pendingLabel}
  >
    <NoticeText {...notice} />
  </FormDialog>
);

/** Stands where content access is on and its notice was not acknowledged; until then nothing is read (SG3). */
export const PrivacyNotice = ({ isPending, onConfirm, onCancel, ...notice }: PrivacyNoticeProps) => {
  const id = useId();
  return (
    <section className={styles.notice} aria-labelledby={id}>
      <h5 id={id} className={styles.noticeName}>
        {title}
      </h5>
      <NoticeText {...notice} />
      <ButtonRow>
        <Button onPress={onCancel} isDisabled={isPending}>
          Cancel
        </Button>
        <Button variant="primary" onPress={onConfirm} isPending={isPending} pendingLabel={pendingLabel}>
          {confirmLabel}
        </Button>
      </ButtonRow>
    </section>
  );
};
