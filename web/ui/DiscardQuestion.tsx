import { Button } from "./Button.tsx";
import styles from "./DiscardQuestion.module.css";

interface DiscardQuestionProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Stands in for a form's buttons when closing it would lose what was typed. */
export const DiscardQuestion = ({ onKeep, onDiscard }: DiscardQuestionProps) => (
  <>
    <span className={styles.question} role="alert">
      Discard what you typed?
    </span>
    <Button onPress={onDiscard} variant="quietDanger">
      Discard
    </Button>
    <Button onPress={onKeep} variant="primary" autoFocus>
      Keep editing
    </Button>
  </>
);
