import type { ReactNode } from "react";
import type { Insights } from "../../../core/insights/insights.ts";
import { type SuggestionAction, toSuggestionAction } from "../../../core/insights/suggestion.ts";
import { createChunk } from "../../loading/chunk.ts";
import { useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { useNavigate } from "../../navigation/navigation.ts";
import { useApp } from "../../react/useApp.ts";
import type { ShownSuggestion } from "./figures.ts";

const dialogChunk = createChunk(
  () => import("./SuggestionDialog.tsx"),
  (module) => module.SuggestionDialog,
);

const isInSettings = (operation: SuggestionAction): boolean =>
  operation === "setUpTwoFactor" || operation === "setUpEncryption";

/** Prefetches the dialog that applying the suggestion opens. */
export const prefetchSuggestion = (operation: SuggestionAction | null): void => {
  if (operation !== null && !isInSettings(operation)) dialogChunk.prefetch();
};

interface SuggestedOperation {
  readonly suggestion: ShownSuggestion;
  readonly operation: SuggestionAction;
}

/** Applies a suggestion: opens its dialog, or navigates to Settings (IN3). */
export const useApplySuggestion = (
  insights: Insights,
  onFocusLost: () => void,
): { readonly apply: (suggestion: ShownSuggestion) => void; readonly dialog: ReactNode } => {
  const { toasts } = useApp();
  const navigate = useNavigate();
  const { wanted, isOpen, open, close } = useLazyOpening<SuggestedOperation>(dialogChunk);
  const { lose } = useFocusLoss(isOpen, onFocusLost);
  const Dialog = dialogChunk.loaded();

  const apply = (suggestion: ShownSuggestion): void => {
    const operation = toSuggestionAction(suggestion.action);
    if (operation === null) {
      toasts.show(
        "warning",
        `Unknown action: ${suggestion.action}. Refresh the page to get the newest version.`,
      );
      return;
    }
    if (isInSettings(operation)) {
      navigate({ tab: "settings", section: "security" });
      return;
    }
    open({ suggestion, operation });
  };
  return {
    apply,
    dialog: Dialog && wanted && (
      <Dialog
        key={wanted.key}
        {...wanted.about}
        insights={insights}
        isOpen={isOpen}
        onClose={close}
        onApplied={lose}
      />
    ),
  };
};
