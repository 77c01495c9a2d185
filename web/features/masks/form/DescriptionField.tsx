import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Mask, maxDescriptionLength } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { useAction } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { TextField } from "../../../ui/form/TextField.tsx";

interface DescriptionFieldProps {
  readonly mask: Mask;
  /** The element that gets the focus when a key has ended the editing. */
  readonly titleId: string;
  readonly onDone: () => void;
}

/** Edits the description of a mask where it is shown: Enter or leaving the field saves it, Escape does not. */
export const DescriptionField = ({ mask, titleId, onDone }: DescriptionFieldProps) => {
  const { masks } = useSignedIn();
  const save = useAction(masks.setDescription);
  const [text, setText] = useState(mask.description ?? "");
  const [error, setError] = useState<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  /** True once a key has ended the editing; the blur that follows then saves nothing. */
  const isEnded = useRef(false);
  useEffect(() => {
    field.current?.select();
    return () => {
      if (isEnded.current) document.getElementById(titleId)?.focus();
    };
  }, [titleId]);

  const saveAndClose = (): void => {
    const description = text.trim();
    if (description !== "" && description !== mask.description) save.run(mask.id, description);
    onDone();
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    // Escape would also end the selection of masks.
    event.preventDefault();
    if (event.key === "Enter" && text.trim() === "") {
      setError("Description is required");
      return;
    }
    isEnded.current = true;
    if (event.key === "Enter") saveAndClose();
    else onDone();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: adds keys to the field inside
    <div onKeyDown={handleKey}>
      <TextField
        ref={field}
        label={`Description of ${maskName(mask)}`}
        isLabelHidden
        autoFocus
        autoComplete="off"
        enterKeyHint="done"
        maxLength={maxDescriptionLength}
        value={text}
        error={error}
        onChange={(value) => {
          setError(undefined);
          setText(value);
        }}
        onBlur={() => {
          if (!isEnded.current) saveAndClose();
        }}
      />
    </div>
  );
};
