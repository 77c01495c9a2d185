import { type ReactNode, useState } from "react";
import { Button } from "../Button.tsx";
import { CopyableText } from "../CopyableText.tsx";
import { Dialog } from "./Dialog.tsx";
import { DiscardQuestion, useDiscardQuestion } from "./DiscardQuestion.tsx";

export interface SecretDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** "Your app password". */
  readonly title: string;
  /** The word for the secret in a sentence: "password". */
  readonly noun: string;
  /** The text that cannot be read again. */
  readonly secret: string;
  readonly onCopy: () => void;
  /** True for a moment after the secret was copied. */
  readonly isCopied: boolean;
  /** True for a moment after another spelling of the secret, which is shown below it, was copied. */
  readonly isOtherSpellingCopied?: boolean;
  /** The sentence above it that says what to do with it. */
  readonly intro: ReactNode;
  /** The further values that are needed where it is entered, below it. */
  readonly children?: ReactNode;
}

/**
 * Shows a secret that the server has just made and never shows again. The user says that it is saved; closing it in passing
 * asks first, until it was copied.
 */
export const SecretDialog = ({
  isOpen,
  onClose,
  title,
  noun,
  secret,
  onCopy,
  isCopied,
  isOtherSpellingCopied = false,
  intro,
  children,
}: SecretDialogProps) => {
  const [wasCopied, setWasCopied] = useState(false);
  const discard = useDiscardQuestion(!wasCopied, onClose);
  if ((isCopied || isOtherSpellingCopied) && !wasCopied) setWasCopied(true);
  const words = {
    question: `Close without the ${noun}? It is never shown again.`,
    discard: "Close",
    keep: "Keep it open",
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.requestClose}
      title={title}
      role="alertdialog"
      footer={
        discard.isConfirming ? (
          <DiscardQuestion onKeep={discard.cancel} onDiscard={onClose} words={words} />
        ) : (
          <Button variant="primary" onPress={onClose}>
            I have saved it
          </Button>
        )
      }
    >
      <p>{intro}</p>
      <CopyableText text={secret} onCopy={onCopy} isCopied={isCopied} />
      {children}
    </Dialog>
  );
};
