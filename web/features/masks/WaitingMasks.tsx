import { isOpenToChange, type WaitingMask } from "../../../core/masks/waitingMask.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { useOpening } from "../../loading/useOpening.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { CreateMaskDialog } from "./form/CreateMaskDialog.tsx";

/** Says what a mask without an address waits for. */
const stateOf = ({ refusal, isSent }: WaitingMask, isOnline: boolean): string => {
  if (refusal !== undefined) return `Not created: ${refusal}`;
  if (isSent && isOnline) return "Being created.";
  return isSent
    ? "Sent, but no answer came. The app asks again when there is a connection."
    : "Waiting for a connection: the server chooses the address.";
};

/** The masks that were made without a connection: they have no address yet, and are made when there is one. */
export const WaitingMasks = () => {
  const waiting = useFeature(createWaitingMasks);
  const list = useObservable(waiting.list$);
  const isOnline = useObservable(waiting.online$);
  const { opened, isOpen, open, close } = useOpening<WaitingMask>();
  return (
    <>
      <SectionCard id="waiting-masks" title="Not created yet">
        <ItemList label="Masks that wait for a connection">
          {list.map((mask) => (
            <ItemRow key={mask.id} title={mask.draft.description} text={stateOf(mask, isOnline)}>
              <ButtonRow>
                {mask.refusal !== undefined && (
                  <Button
                    size="small"
                    onPress={() => waiting.sendAgain(mask.id)}
                    aria-label={`Try again: ${mask.draft.description}`}
                  >
                    Try again
                  </Button>
                )}
                {isOpenToChange(mask) && (
                  <>
                    <Button
                      size="small"
                      onPress={() => open(mask)}
                      aria-label={`Edit: ${mask.draft.description}`}
                    >
                      Edit
                    </Button>
                    <Button
                      size="small"
                      onPress={() => waiting.remove(mask.id)}
                      aria-label={`Remove: ${mask.draft.description}`}
                    >
                      Remove
                    </Button>
                  </>
                )}
              </ButtonRow>
            </ItemRow>
          ))}
        </ItemList>
      </SectionCard>
      {opened && (
        <CreateMaskDialog key={opened.key} isOpen={isOpen} onClose={close} waiting={opened.target} />
      )}
    </>
  );
};
