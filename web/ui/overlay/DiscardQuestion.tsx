import { useEffect, useState } from "react";
import { Button } from "../Button.tsx";
import styles from "./DiscardQuestion.module.css";

/** State of closing a form that may have unsaved input. */
export interface DiscardState {
  /** Closes the form, or asks first when it has unsaved input. */
  readonly requestClose: () => void;
  readonly isConfirming: boolean;
  readonly cancel: () => void;
}

/** Closes a form at once by `onClose`; while `isChanged`, asks first, and the browser asks before a reload. */
export const useDiscardQuestion = (isChanged: boolean, onClose: () => void): DiscardState => {
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: Event): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isChanged]);
  return {
    requestClose: () => (isChanged ? setConfirming(true) : onClose()),
    isConfirming: isConfirming && isChanged,
    cancel: () => setConfirming(false),
  };
};

/** Says that a form shows input that was typed before a reload. */
export const restoredText = "This is what you typed before the page was left. It is not saved yet.";

interface DiscardQuestionProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  /** The question and the answers where nothing was typed. */
  readonly words?: { readonly question: string; readonly discard: string; readonly keep: string };
}

const typedWords = { question: "Discard what you typed?", discard: "Discard", keep: "Keep editing" };

/** Replaces a dialog's buttons to ask whether what would be lost may be discarded. */
export const DiscardQuestion = ({ onKeep, onDiscard, words = typedWords }: DiscardQuestionProps) => (
  <>
    <span className={styles.question} role="alert">
      {words.question}
    </span>
    <Button onPress={onDiscard} variant="quietDanger">
      {words.discard}
    </Button>
    <Button onPress={onKeep} variant="primary" autoFocus>
      {words.keep}
    </Button>
  </>
);
