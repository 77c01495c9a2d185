import { useState } from "react";
import { sellsPlans } from "../../../../core/api/configuration.ts";
import type { SignedIn } from "../../../../core/app/signedIn.ts";
import type { Suggestion } from "../../../../core/insights/suggestion.ts";
import { maxDescriptionLength, maxNewPrefixLength } from "../../../../core/masks/mask.ts";
import { type MaskOrigin, toMaskDraft } from "../../../../core/masks/maskDraft.ts";
import type { WaitingMask } from "../../../../core/masks/waitingMask.ts";
import { createWaitingMasks } from "../../../../core/masks/waitingMasks.ts";
import { defaultForwardTo } from "../../../../core/session/user.ts";
import { labelOf } from "../../../../core/tiers/tier.ts";
import { addressText } from "../../../navigation/address.ts";
import { TargetLink } from "../../../navigation/TargetLink.tsx";
import { type ActionWrapper, passThrough, useFormAction } from "../../../react/useAction.ts";
import { useApp, useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import { DiscardQuestion, restoredText, useDiscardQuestion } from "../../../ui/overlay/DiscardQuestion.tsx";
import { MaskFields } from "./MaskFields.tsx";
import { useMaskDraft } from "./useMaskDraft.ts";

interface CreateMaskDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly suggestion?: Suggestion;
  /** The name that the form proposes. */
  readonly name?: string | undefined;
  /** The host name of the site that the mask is for. */
  readonly site?: string | undefined;
  readonly wrap?: ActionWrapper;
  readonly onCreated?: () => void;
  /** A mask that waits for a connection, to be changed before it is made. */
  readonly waiting?: WaitingMask;
}

/** True if the plan has no place for another mask; masks that are not known are not counted. */
const isPlanFull = ({ view$, plan$ }: SignedIn["masks"]): boolean => {
  const { status, all } = view$.value;
  const { maxMasks } = plan$.value;
  return status === "ready" && maxMasks !== null && all.length >= maxMasks;
};

const originOf = (suggestion: Suggestion | undefined): MaskOrigin =>
  suggestion
    ? {
        kind: "suggestion",
        suggestionId: suggestion.actionKey,
        suggestionCategory: suggestion.category,
      }
    : { kind: "plain" };

/** Replaces the form when the plan has no more masks, and says what to do. */
const NoMorePlaces = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const { masks } = useSignedIn();
  const { configuration } = useApp();
  const sells = sellsPlans(configuration);
  const { all } = useObservable(masks.view$);
  const { tier, maxMasks } = useObservable(masks.plan$);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create Mask"
      footer={
        <>
          <Button onPress={onClose}>Close</Button>
          {sells && (
            <TargetLink variant="primary" href={addressText(["account"])} focus="plan" onFollow={onClose}>
              See your plan
            </TargetLink>
          )}
        </>
      }
    >
      <p>
        Your masks: {all.length} of {maxMasks}.{" "}
        {sells
          ? `The ${labelOf[tier]} plan has no more, and masks that are switched off count too.`
          : "Masks that are switched off count too."}
      </p>
      <p>
        {sells
          ? "Delete a mask that you no longer need, or choose a larger plan."
          : "Delete a mask that you no longer need, or ask the operator for more."}
      </p>
    </Dialog>
  );
};

/** Creates a mask (MA5), or says that the plan has no more. */
export const CreateMaskDialog = (props: CreateMaskDialogProps) => {
  const { masks } = useSignedIn();
  const [isFull] = useState(() => props.waiting === undefined && isPlanFull(masks));
  return isFull ? <NoMorePlaces isOpen={props.isOpen} onClose={props.onClose} /> : <MaskForm {...props} />;
};

/** The form of a new mask; closing it with changes asks first. */
const MaskForm = ({
  isOpen,
  onClose,
  suggestion,
  name = suggestion?.maskName ?? "",
  site,
  wrap = passThrough,
  onCreated = onClose,
  waiting,
}: CreateMaskDialogProps) => {
  const { session, configuration } = useApp();
  const { account } = useSignedIn();
  const waitingMasks = useFeature(createWaitingMasks);
  const state = useObservable(session.state$);
  const forwardTo = defaultForwardTo(useObservable(account.account$), state);
  const draft = useMaskDraft(
    waiting?.draft ?? {
      ...toMaskDraft(),
      description: name.slice(0, maxDescriptionLength),
      forwardTo: suggestion?.forwardTo ?? forwardTo,
      ...(site && { madeFor: site }),
    },
    name === "" && suggestion === undefined && waiting === undefined ? "mask:new" : null,
  );
  const close = (): void => {
    draft.forget();
    onClose();
  };
  const create = useFormAction(
    (values: typeof draft.values) =>
      waiting
        ? waitingMasks.edit(waiting.id, values)
        : wrap(waitingMasks.create(values, originOf(suggestion))),
    {
      onSuccess: (created) => {
        draft.forget();
        if (created === null) onClose();
        else onCreated();
      },
    },
  );
  const discard = useDiscardQuestion(draft.isChanged, close);

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.requestClose}
      title={
        waiting ? "Change waiting mask" : suggestion ? "Create Email Mask from Suggestion" : "Create Mask"
      }
      onSubmit={() => create.run(draft.values)}
      isPending={create.isRunning}
      footer={
        discard.isConfirming ? (
          <DiscardQuestion onKeep={discard.cancel} onDiscard={close} />
        ) : (
          <>
            <Button onPress={discard.requestClose} isDisabled={create.isRunning}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" isPending={create.isRunning} pendingLabel="Creating…">
              {waiting ? "Save" : "Create Mask"}
            </Button>
          </>
        )
      }
    >
      {draft.isRestored && <Banner>{restoredText}</Banner>}
      <MaskFields
        draft={draft}
        problem={create.problem}
        onEdit={create.clearProblem}
        longestPrefix={maxNewPrefixLength}
        prefixHint={`The address begins with it: ${draft.values.customPrefix.toLowerCase() || "prefix"}.…@${configuration.maskDomain}`}
      />
    </Dialog>
  );
};
