import type { ReplacedEdit, WaitingChange } from "../../../core/masks/waitingChange.ts";
import { isOpenToChange, type WaitingMask } from "../../../core/masks/waitingMask.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { useOpening } from "../../loading/useOpening.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
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

const fieldNames: Readonly<Record<string, string>> = {
  description: "the name",
  active: "the switch",
  note: "the note",
  labels: "the labels",
  madeFor: "the site",
  pinned: "the pin",
  forwardTo: "the addresses",
  destinations: "the addresses",
  customPrefix: "the prefix",
  "senders.mode": "who may write",
  "senders.allow": "who may write",
  "senders.block": "who may write",
  expiry: "the expiry",
};

/** Names fields of a mask in a sentence: "the name and the note". */
const describeFields = (fields: Readonly<Record<string, unknown>>): string => {
  const names = [...new Set(Object.keys(fields).map((name) => fieldNames[name] ?? "the settings"))];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

/** Says what a change of a mask waits for. */
const changeText = ({ fields, refusal, sent }: WaitingChange, isOnline: boolean): string => {
  const what = describeFields(fields);
  if (refusal !== undefined) return `Not saved: ${what}. ${refusal}`;
  if (sent && isOnline) return `Being saved: ${what}.`;
  return `Waiting for a connection: ${what}.`;
};

/** The changes of masks that were made without a connection. */
const WaitingChanges = ({ list }: { readonly list: readonly WaitingChange[] }) => {
  const waiting = useFeature(createWaitingMasks);
  const isOnline = useObservable(waiting.online$);
  return (
    <SectionCard id="waiting-changes" title="Not saved yet">
      <ItemList label="Changes that wait for a connection">
        {list.map((change) => (
          <ItemRow key={change.id} title={change.name} text={changeText(change, isOnline)}>
            <ButtonRow>
              {change.refusal !== undefined && (
                <Button
                  size="small"
                  onPress={() => waiting.sendAgain(change.id)}
                  aria-label={`Try again: ${change.name}`}
                >
                  Try again
                </Button>
              )}
              {change.sent === undefined && (
                <Button
                  size="small"
                  onPress={() => waiting.removeChange(change.id)}
                  aria-label={`Discard: ${change.name}`}
                >
                  Discard
                </Button>
              )}
            </ButtonRow>
          </ItemRow>
        ))}
      </ItemList>
    </SectionCard>
  );
};

/** Says that a change has replaced that of another device, and offers to put the other one back. */
const ReplacedNotice = ({ replaced }: { readonly replaced: ReplacedEdit }) => {
  const waiting = useFeature(createWaitingMasks);
  const take = useAction(waiting.takeTheirs);
  return (
    <Banner
      kind="warning"
      action={
        <ButtonRow>
          <Button size="small" onPress={() => waiting.dismissReplaced(replaced)}>
            Keep mine
          </Button>
          <Button size="small" onPress={() => take.run(replaced)} isPending={take.isRunning}>
            Keep the other
          </Button>
        </ButtonRow>
      }
    >
      “{replaced.name}” was changed on two devices: {describeFields(replaced.theirs)}. Your change has
      replaced the other one.
    </Banner>
  );
};

/** The masks that were made without a connection: they have no address yet, and are made when there is one. */
const NewMasks = ({ list }: { readonly list: readonly WaitingMask[] }) => {
  const waiting = useFeature(createWaitingMasks);
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

/** What was made without a connection: masks, which have no address yet, and changes of masks. */
export const WaitingMasks = () => {
  const waiting = useFeature(createWaitingMasks);
  const made = useObservable(waiting.list$);
  const changes = useObservable(waiting.changes$);
  const replaced = useObservable(waiting.replaced$);
  return (
    <>
      {made.length > 0 && <NewMasks list={made} />}
      {changes.length > 0 && <WaitingChanges list={changes} />}
      {replaced.map((one) => (
        <ReplacedNotice key={one.id} replaced={one} />
      ))}
    </>
  );
};
