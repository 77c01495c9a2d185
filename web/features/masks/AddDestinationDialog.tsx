import { useState } from "react";
import type { Destination } from "../../../core/destinations/destinationEndpoints.ts";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import { type Mask, maxDestinations } from "../../../core/masks/mask.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { addressText } from "../../navigation/address.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
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

/** Lets a mask forward to one more of the user's addresses, with one press. */
export const AddDestinationDialog = ({ mask, isOpen, onClose }: AddDestinationDialogProps) => {
  const { masks } = useSignedIn();
  const destinations = useFeature(createDestinations);
  const list = useObservable(destinations.list$);
  const [, ...others] = destinationsOf(mask);
  const [pressed, setPressed] = useState<string | null>(null);
  const add = useAction(
    (email: string) => masks.edit(mask.id, { ...toMaskDraft(mask), alsoTo: [...others, email] }),
    { onSuccess: onClose },
  );
  const isFull = others.length + 1 >= maxDestinations;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Add a destination to ${maskName(mask)}`}>
      {isFull && <p>The mask forwards to {maxDestinations} addresses, the most it can have.</p>}
      {!isFull && (
        <LoadedItems
          refresh={destinations.refresh}
          list={list === null ? null : addable(list, mask)}
          loadingLabel="Loading your addresses"
        >
          {(offered) =>
            offered.length === 0 ? (
              <p>
                {list?.some(isConfirmed)
                  ? "The mask forwards to all of your confirmed addresses."
                  : "You have no other confirmed address yet."}{" "}
                A new one appears here once the link in its confirmation email was opened.
              </p>
            ) : (
              <ItemList label="Your addresses">
                {offered.map(({ id, email, name }) => (
                  <ItemRow key={id} title={email} text={name ?? ""}>
                    <Button
                      size="small"
                      onPress={() => {
                        if (add.isRunning) return;
                        setPressed(email);
                        add.run(email);
                      }}
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
      )}
      <ButtonRow>
        <ButtonLink size="small" href={addressText(["settings", "mail"])}>
          Manage addresses
        </ButtonLink>
      </ButtonRow>
      <ProblemBanner problem={add.problem} />
    </Dialog>
  );
};
