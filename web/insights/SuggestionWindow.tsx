import type { SuggestionDeed } from "../../core/insights/suggestionAction.ts";
import type { Around } from "../binding/around.ts";
import { CreateMaskDialog } from "../masks/CreateMaskDialog.tsx";
import { ChangeMaskQuestion } from "./ChangeMaskQuestion.tsx";
import type { Insights, ShownSuggestion } from "./insightsPart.ts";
import { SuggestedRule } from "./SuggestedRule.tsx";

interface SuggestionWindowProps {
  readonly insights: Insights;
  readonly suggestion: ShownSuggestion;
  readonly deed: SuggestionDeed;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The card has no button any more. */
  readonly onApplied: () => void;
}

/** The window that applying a suggestion opens; what it does marks the suggestion as applied (IN3). */
export const SuggestionWindow = (props: SuggestionWindowProps) => {
  const { insights, suggestion, deed, isOpen, onClose, onApplied } = props;
  const around: Around = (change) => insights.applyBy(suggestion, change);
  const done = (): void => {
    onApplied();
    onClose();
  };
  const given = { suggestion, around, isOpen, onClose, onDone: done };
  switch (deed) {
    case "createMask":
      return (
        <CreateMaskDialog
          isOpen={isOpen}
          onClose={onClose}
          suggestion={suggestion}
          around={around}
          onCreated={done}
        />
      );
    case "createRule":
      return <SuggestedRule {...given} />;
    case "switchOff":
    case "turnOnSpamProtection":
      return <ChangeMaskQuestion {...given} deed={deed} />;
    default:
      return null;
  }
};
