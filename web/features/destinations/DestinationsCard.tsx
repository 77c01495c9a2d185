import { useEffect } from "react";
import type { Destination } from "../../../core/destinations/destinationEndpoints.ts";
import { createDestinations, type Destinations } from "../../../core/destinations/destinations.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ItemList, ItemListLoading, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
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
  const list = useObservable(destinations.list$);
  const outdated = useObservable(destinations.outdated$);
  const { run: refresh, isRunning, problem } = useAction(destinations.refresh);
  const { opened, isOpen, open, close } = useOpening<DestinationTarget>();
  useEffect(() => refresh(), [refresh]);
  useEffect(dialogs.prefetch, []);
  return (
    <SectionCard
      id="destinations"
      title="Addresses"
      level={3}
      text="Where the mail of your masks goes. An address receives mail after the link in the confirmation mail was opened."
    >
      <ItemListLoading
        label="Loading your addresses"
        isLoaded={list !== null}
        problem={problem}
        onRetry={() => refresh()}
        isRetrying={isRunning}
      />
      {list !== null && (
        <>
          <OutdatedNotice outdated={outdated} onRefresh={() => refresh()} isRefreshing={isRunning} />
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
      {opened && (
        <Lazy chunk={dialogs} skeleton={null}>
          {(Dialogs) => (
            <Dialogs
              key={opened.key}
              destinations={destinations}
              target={opened.target}
              isOpen={isOpen}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </SectionCard>
  );
};
