import type { ReactNode } from "react";
import type { Insights } from "../../../core/insights/insights.ts";
import { type SuggestionAction, toSuggestionAction } from "../../../core/insights/suggestion.ts";
import { createChunk } from "../../loading/chunk.ts";
import { useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { useApp } from "../../react/useApp.ts";
import type { ShownSuggestion } from "./figures.ts";

const dialogChunk = createChunk(
  () => import("./SuggestionDialog.tsx"),
  (module) => module.SuggestionDialog,
);

/** The address in Settings where the suggestion is carried out; undefined for one that is applied in a dialog. */
export const placeOfSuggestion = (operation: SuggestionAction | null): string | undefined =>
  operation === "setUpTwoFactor" || operation === "setUpEncryption"
    ? addressText(["settings", "security"])
    : undefined;

/** Prefetches the dialog that applying the suggestion opens. */
export const prefetchSuggestion = (operation: SuggestionAction | null): void => {
  if (operation !== null) dialogChunk.prefetch();
};

interface SuggestedOperation {
  readonly suggestion: ShownSuggestion;
  readonly operation: SuggestionAction;
}

/** Applies a suggestion: opens its dialog (IN3). */
export const useApplySuggestion = (
  insights: Insights,
  onFocusLost: () => void,
): { readonly apply: (suggestion: ShownSuggestion) => void; readonly dialog: ReactNode } => {
  const { toasts } = useApp();
  const { opened, isOpen, open, close } = useLazyOpening<SuggestedOperation>(dialogChunk);
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
    open({ suggestion, operation });
  };
  return {
    apply,
    dialog: Dialog && opened && (
      <Dialog
        key={opened.key}
        {...opened.target}
        insights={insights}
        isOpen={isOpen}
        onClose={close}
        onApplied={lose}
      />
    ),
  };
};
