import type { Suggestion } from "../../core/insights/suggestion.ts";
import { maxNewPrefixLength } from "../../core/masks/mask.ts";
import { type MaskOrigin, toMaskDraft } from "../../core/masks/maskDraft.ts";
import { type ActionWrapper, passThrough, useAction } from "../react/useAction.ts";
import { useApp, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DiscardQuestion, useDiscardQuestion } from "../ui/DiscardQuestion.tsx";
import { MaskFields, useMaskDraft } from "./MaskFields.tsx";

interface CreateMaskDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The suggestion that fills the form. */
  readonly suggestion?: Suggestion;
  readonly wrap?: ActionWrapper;
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

/** Creates a mask (MA5); closing the form with changes asks first. */
export const CreateMaskDialog = ({
  isOpen,
  onClose,
  suggestion,
  wrap = passThrough,
  onCreated = onClose,
}: CreateMaskDialogProps) => {
  const { session, configuration } = useApp();
  const { masks } = useSignedIn();
  const state = useObservable(session.state$);
  const forwardTo = state.kind === "signed-in" ? state.user.email : "";
  const draft = useMaskDraft({
    ...toMaskDraft(),
    description: suggestion?.maskName ?? "",
    forwardTo: suggestion?.forwardTo ?? forwardTo,
  });
  const create = useAction(
    (values: typeof draft.values) => wrap(masks.create(values, originOf(suggestion))),
    { onSuccess: onCreated },
  );
  const discard = useDiscardQuestion(draft.isChanged, onClose);

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.requestClose}
      title={suggestion ? "Create Email Mask from Suggestion" : "Create Mask"}
      onSubmit={() => create.run(draft.values)}
      isPending={create.isRunning}
      footer={
        discard.isConfirming ? (
          <DiscardQuestion onKeep={discard.cancel} onDiscard={onClose} />
        ) : (
          <>
            <Button onPress={discard.requestClose} isDisabled={create.isRunning}>
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
        onEdit={create.clearProblem}
        isNew
        longestPrefix={maxNewPrefixLength}
        prefixHint={`The address begins with it: ${draft.values.customPrefix.toLowerCase() || "prefix"}.…@${configuration.maskDomain}`}
      />
    </Dialog>
  );
};
