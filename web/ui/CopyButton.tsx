import { Button, type ButtonSize, type ButtonVariant } from "./Button.tsx";
import { CheckIcon } from "./icons/CheckIcon.tsx";
import { CopyIcon } from "./icons/CopyIcon.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface CopyButtonProps {
  /** "Copy address". */
  readonly label: string;
  readonly onCopy: () => void;
  readonly isCopied: boolean;
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
}

/** A labelled button that copies something shown elsewhere. Its name stays; the sign changes and "Copied" is spoken. */
export const CopyButton = ({ label, onCopy, isCopied, variant, size }: CopyButtonProps) => (
  <>
    <Button
      variant={variant}
      size={size}
      onPress={onCopy}
      icon={isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
    >
      {label}
    </Button>
    <span role="status">{isCopied && <VisuallyHidden>Copied</VisuallyHidden>}</span>
  </>
);
