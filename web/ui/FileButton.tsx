import { type Ref, useId, useRef } from "react";
import { Button, type ButtonSize } from "./Button.tsx";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";

export interface FileButtonProps {
  readonly label: string;
  /** As in the `accept` attribute. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  /** Why the file chosen last cannot be had. */
  readonly error?: string | undefined;
  readonly size?: ButtonSize | undefined;
  readonly isPending?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

/** Chooses a file. The same file can be chosen again: it may have changed, or not have been there. */
export const FileButton = ({ label, accept, onFile, error, ...button }: FileButtonProps) => {
  const fieldId = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={field.field}>
      <div>
        <Button
          {...button}
          onPress={() => input.current?.click()}
          aria-describedby={describedBy(fieldId, undefined, error)}
        >
          {label}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = "";
        }}
      />
      <FieldNotes fieldId={fieldId} error={error} />
    </div>
  );
};
