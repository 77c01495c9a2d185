import type { Destination } from "../../../core/destinations/destinationEndpoints.ts";
import { createDestinations, type Destinations } from "../../../core/destinations/destinations.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { addressText } from "../../navigation/address.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import type { DestinationTarget } from "./DestinationDialogs.tsx";

const dialogs = createChunk(
  () => import("./DestinationDialogs.tsx"),
  (module) => module.DestinationDialogs,
);

const MaskCount = ({ email, masks }: Destination) =>
  masks === 0 ? (
    "Used by no mask"
  ) : (
    <a href={addressText(["masks"], { search: `to:${email}` })}>
      {masks === 1 ? "Used by 1 mask" : `Used by ${masks} masks`}
    </a>
  );

interface DestinationRowProps {
  readonly destination: Destination;
  readonly destinations: Destinations;
  readonly isDisabled: boolean;
  readonly onOpen: (target: DestinationTarget) => void;
}

const DestinationRow = ({ destination, destinations, isDisabled, onOpen }: DestinationRowProps) => {
  const { email, name, status, isDefault, isAccount, keyFingerprint } = destination;
  const ask = useAction(destinations.askAgain);
  const shown = name || email;
  return (
    <ItemRow
      title={
        <>
          {shown}
          {isDefault && <Badge kind="accent">Default</Badge>}
          {status !== "confirmed" && (
            <Badge kind="warning" hasDot>
              Awaiting confirmation
            </Badge>
          )}
          {keyFingerprint !== null && <Badge>Key {keyFingerprint.slice(-8)}</Badge>}
        </>
      }
      text={
        <>
          {name !== "" && `${email} · `}
          {isAccount && "Address of your account · "}
          <MaskCount {...destination} />
        </>
      }
    >
      <ButtonRow>
        {status !== "confirmed" && (
          <Button
            size="small"
            aria-label={`Send again: ${shown}`}
            isDisabled={isDisabled}
            isPending={ask.isRunning}
            onPress={() => ask.run(email)}
          >
            Send again
          </Button>
        )}
        <Button
          size="small"
          aria-label={`Edit: ${shown}`}
          isDisabled={isDisabled}
          onPress={() => onOpen({ kind: "edit", destination })}
        >
          Edit
        </Button>
        {!isAccount && (
          <Button
            size="small"
            aria-label={`Remove: ${shown}`}
            isDisabled={isDisabled}
            onPress={() => onOpen({ kind: "remove", destination })}
          >
            Remove
          </Button>
        )}
      </ButtonRow>
    </ItemRow>
  );
};

/** The addresses that mail is forwarded to: their names, the default, keys, confirmation and removal. */
export const DestinationsCard = () => {
  const destinations = useFeature(createDestinations);
  const outdated = useObservable(destinations.outdated$);
  return (
    <ItemsCard
      text="Where your masks forward mail. A new address gets mail once the link in its confirmation email was opened."
      refresh={destinations.refresh}
      list={useObservable(destinations.list$)}
      outdated={outdated}
      loadingLabel="Loading your addresses"
      dialogs={dialogs}
      dialogProps={{ destinations }}
    >
      {(list, open) => (
        <>
          <ItemList label="Addresses">
            {list.map((destination) => (
              <DestinationRow
                key={destination.id}
                destination={destination}
                destinations={destinations}
                isDisabled={outdated !== null}
                onOpen={open}
              />
            ))}
          </ItemList>
          <ButtonRow>
            <Button isDisabled={outdated !== null} onPress={() => open({ kind: "add" })}>
              Add address
            </Button>
          </ButtonRow>
        </>
      )}
    </ItemsCard>
  );
};
