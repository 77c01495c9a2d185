import type { Suggestion } from "../../core/insights/suggestion.ts";
import { longestNewPrefix } from "../../core/masks/mask.ts";
import type { MaskOrigin } from "../../core/masks/maskDraft.ts";
import { type Around, plainly } from "../binding/around.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DiscardQuestion } from "../ui/DiscardQuestion.tsx";
import { useDiscard } from "../ui/useDiscard.ts";
import { MaskFields } from "./MaskFields.tsx";
import { useDraft } from "./useDraft.ts";

interface CreateMaskDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What it is filled with, when a suggestion has asked for it. */
  readonly suggestion?: Suggestion;
  readonly around?: Around;
  readonly onCreated?: () => void;
}

const originOf = (suggestion: Suggestion | undefined): MaskOrigin =>
  suggestion
    ? {
        kind: "suggestion",
        suggestionId: suggestion.actionKey,
        suggestionCategory: suggestion.category,
      }
    : { kind: "plain" };

/** Makes a mask (MA5). What was typed stays until it is saved or given up. */
export const CreateMaskDialog = ({
  isOpen,
  onClose,
  suggestion,
  around = plainly,
  onCreated = onClose,
}: CreateMaskDialogProps) => {
  const { masks, session, configuration } = useApp();
  const state = useObservable(session.state$);
  const forwardTo = state.kind === "signed-in" ? state.user.email : "";
  const draft = useDraft({
    description: suggestion?.maskName ?? "",
    forwardTo: suggestion?.forwardTo ?? forwardTo,
    spamFilter: false,
    customPrefix: "",
  });
  const create = useAction(
    (values: typeof draft.values) => around(masks.create(values, originOf(suggestion))),
    { onSuccess: onCreated },
  );
  const discard = useDiscard(draft.isChanged, onClose);

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.ask}
      title={suggestion ? "Create Email Mask from Suggestion" : "Create Mask"}
      onSubmit={() => create.run(draft.values)}
      isPending={create.isRunning}
      footer={
        discard.isAsking ? (
          <DiscardQuestion onKeep={discard.keep} onDiscard={onClose} />
        ) : (
          <>
            <Button onPress={discard.ask} isDisabled={create.isRunning}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" isPending={create.isRunning} pendingLabel="Creating…">
              Create Mask
            </Button>
          </>
        )
      }
    >
      <MaskFields
        draft={draft}
        problem={create.problem}
        onEdit={create.forget}
        isNew
        longestPrefix={longestNewPrefix}
        prefixHint={`The address begins with it: ${draft.values.customPrefix.toLowerCase() || "prefix"}.…@${configuration.maskDomain}`}
      />
    </Dialog>
  );
};
