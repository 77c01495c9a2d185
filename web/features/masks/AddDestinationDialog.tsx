import { useState } from "react";
import type { Problem } from "../../../core/api/errorMessages.ts";
import type { Destination } from "../../../core/destinations/destinationEndpoints.ts";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import { type Mask, maxDestinations } from "../../../core/masks/mask.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { addressText } from "../../navigation/address.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";

interface AddDestinationDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const destinationsOf = ({ forwardTo, destinations }: Mask): readonly string[] => destinations ?? [forwardTo];

const isConfirmed = ({ status }: Destination): boolean => status === "confirmed";

/** Returns the confirmed addresses that the mask does not forward to yet. */
const addable = (list: readonly Destination[], mask: Mask): readonly Destination[] => {
  const taken = destinationsOf(mask).map(mailboxKey);
  return list.filter((one) => isConfirmed(one) && !taken.includes(mailboxKey(one.email)));
};

interface OtherAddressProps {
  /** The addresses that the mask forwards to. */
  readonly taken: readonly string[];
  readonly isRunning: boolean;
  /** Why the address was not added. */
  readonly problem: Problem | null;
  readonly onAdd: (email: string) => void;
  readonly onEdit: () => void;
}

const fields = ["alsoTo", "destinations", "forwardTo"];

/** The field for an address that the user has not used yet. */
const OtherAddress = ({ taken, isRunning, problem, onAdd, onEdit }: OtherAddressProps) => {
  const [text, setText] = useState("");
  const [isTaken, setTaken] = useState(false);
  const refused = problem?.fields.find(({ field }) => fields.includes(field))?.message;
  return (
    <form
      noValidate
      className={styles.list}
      onSubmit={(event) => {
        event.preventDefault();
        const email = text.trim();
        if (taken.map(mailboxKey).includes(mailboxKey(email))) setTaken(true);
        else onAdd(email);
      }}
    >
      <TextField
        label="Another address"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="email"
        spellCheck={false}
        value={text}
        onChange={(value) => {
          setText(value);
          setTaken(false);
          onEdit();
        }}
        error={isTaken ? "The mask forwards there already." : refused}
        description="The address gets one email with a link to confirm it, then the mail of the mask."
      />
      {refused === undefined && <ProblemBanner problem={problem} />}
      <ButtonRow>
        <Button type="submit" isPending={isRunning} pendingLabel="Adding…">
          Add address
        </Button>
      </ButtonRow>
    </form>
  );
};

/** Lets a mask forward to one more address: with one press to one of the user's, or to a new one. */
export const AddDestinationDialog = ({ mask, isOpen, onClose }: AddDestinationDialogProps) => {
  const { masks } = useSignedIn();
  const destinations = useFeature(createDestinations);
  const list = useObservable(destinations.list$);
  const taken = destinationsOf(mask);
  const [pressed, setPressed] = useState<string | null>(null);
  const add = useFormAction(
    (email: string) => masks.edit(mask.id, { ...toMaskDraft(mask), alsoTo: [...taken.slice(1), email] }),
    { onSuccess: onClose },
  );
  const start = (email: string, isPressed: boolean): void => {
    if (add.isRunning) return;
    setPressed(isPressed ? email : null);
    add.run(email);
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Add a destination to ${maskName(mask)}`}>
      {taken.length >= maxDestinations ? (
        <p>The mask forwards to {maxDestinations} addresses, the most it can have.</p>
      ) : (
        <>
          <LoadedItems
            refresh={destinations.refresh}
            list={list === null ? null : addable(list, mask)}
            loadingLabel="Loading your addresses"
          >
            {(offered) =>
              offered.length > 0 && (
                <ItemList label="Your addresses">
                  {offered.map(({ id, email, name }) => (
                    <ItemRow key={id} title={email} text={name ?? ""}>
                      <Button
                        size="small"
                        onPress={() => start(email, true)}
                        isPending={add.isRunning && email === pressed}
                        aria-label={`Add ${email}`}
                      >
                        Add
                      </Button>
                    </ItemRow>
                  ))}
                </ItemList>
              )
            }
          </LoadedItems>
          {pressed !== null && <ProblemBanner problem={add.problem} />}
          <OtherAddress
            taken={taken}
            isRunning={add.isRunning && pressed === null}
            problem={pressed === null ? add.problem : null}
            onAdd={(email) => start(email, false)}
            onEdit={add.clearProblem}
          />
        </>
      )}
      <ButtonRow>
        <ButtonLink size="small" href={addressText(["settings", "mail"])}>
          Manage addresses
        </ButtonLink>
      </ButtonRow>
    </Dialog>
  );
};
