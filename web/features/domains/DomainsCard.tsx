import { useEffect, useRef } from "react";
import type { Domain } from "../../../core/domains/domain.ts";
import type { DomainList } from "../../../core/domains/domainEndpoints.ts";
import { createDomains } from "../../../core/domains/domains.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { addressText, nameEntry, readAddress } from "../../navigation/address.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { UntitledCard } from "../../ui/layout/SectionCard.tsx";
import { entryState } from "../../ui/overlay/layers.ts";
import { DialogAddress, layersIn } from "../../ui/overlay/useBackToClose.ts";
import type { DomainTarget } from "./DomainDialogs.tsx";

const dialogs = createChunk(
  () => import("./DomainDialogs.tsx"),
  (module) => module.DomainDialogs,
);

const states: Readonly<
  Record<Domain["state"], { readonly kind: BadgeProps["kind"]; readonly text: string }>
> = {
  waiting: { kind: "warning", text: "Waiting for proof" },
  ready: { kind: "success", text: "Ready" },
  incomplete: { kind: "warning", text: "Records missing" },
  lapsed: { kind: "danger", text: "Proof missing" },
};

const catchAllText = ({ catchAll, patterns, approveFirst }: Domain): string => {
  if (catchAll === "off") return "only masks that you create";
  const names = catchAll === "all" ? "any name creates a mask" : `${patterns.join(", ")} create masks`;
  return approveFirst ? `${names}, approved first` : names;
};

const maskCount = ({ masks }: Domain): string => (masks === 1 ? "1 mask" : `${masks} masks`);

interface DomainRowProps {
  readonly domain: Domain;
  readonly isDisabled: boolean;
  readonly onOpen: (target: DomainTarget) => void;
}

const DomainRow = ({ domain, isDisabled, onOpen }: DomainRowProps) => {
  const { kind, text } = states[domain.state];
  return (
    <ItemRow
      title={
        <>
          {domain.shownName}
          <Badge kind={kind} hasDot>
            {text}
          </Badge>
        </>
      }
      text={
        <>
          {domain.masks === 0 ? (
            "No masks"
          ) : (
            <a href={addressText(["masks"], { search: `@${domain.name}` })}>{maskCount(domain)}</a>
          )}
          {` · ${catchAllText(domain)}`}
        </>
      }
    >
      <ButtonRow>
        <Button
          size="small"
          aria-label={`Open: ${domain.shownName}`}
          onPress={() => onOpen({ kind: "domain", id: domain.id })}
        >
          Open
        </Button>
        <Button
          size="small"
          aria-label={`Remove: ${domain.shownName}`}
          isDisabled={isDisabled}
          onPress={() => onOpen({ kind: "remove", domain })}
        >
          Remove
        </Button>
      </ButtonRow>
    </ItemRow>
  );
};

const cardPath = ["settings", "domains"];

const pathOf = (target: DomainTarget): readonly string[] => {
  if (target.kind === "domain") return [...cardPath, target.id];
  return target.kind === "remove" ? [...cardPath, target.domain.id, "remove"] : [...cardPath, target.kind];
};

/** Returns what an address below that of the card opens; null when it names nothing that is there. */
const targetIn = ([, , name, action]: readonly string[], { domains }: DomainList): DomainTarget | null => {
  if (name === "add" || name === "claim") return { kind: name };
  const domain = domains.find(({ id }) => id === name);
  if (!domain) return null;
  return action === "remove" ? { kind: "remove", domain } : { kind: "domain", id: domain.id };
};

/** Shows what the address of the page names: the card, or a dialog of it once the domains are known. */
const useDomainAddress = (list: DomainList | null, open: (target: DomainTarget) => void) => {
  const latest = useRef({ list, open });
  useEffect(() => {
    latest.current = { list, open };
  });
  const isKnown = list !== null;
  useEffect(() => {
    if (!isKnown) return undefined;
    const follow = (): void => {
      const { path } = readAddress(window);
      const isNamed = cardPath.every((part, n) => part === path[n]);
      if (!isNamed || layersIn(window).isShown() || !latest.current.list) return;
      // A dialog adds an entry of its own to the one of the card.
      if (!entryState(window).layers) nameEntry(addressText(cardPath));
      const target = targetIn(path, latest.current.list);
      if (target) latest.current.open(target);
    };
    follow();
    return layersIn(window).onMove(follow);
  }, [isKnown]);
};

/** The user's domains whose addresses are masks, and what else they may add. */
export const DomainsCard = () => {
  const feature = useFeature(createDomains);
  const list = useObservable(feature.list$);
  const outdated = useObservable(feature.outdated$);
  const { opened, isOpen, open, close } = useOpening<DomainTarget>();
  useDomainAddress(list, open);
  return (
    <UntitledCard>
      <LoadedItems
        refresh={feature.refresh}
        list={list}
        outdated={outdated}
        loadingLabel="Loading your domains"
      >
        {({ domains, ownLeft, subdomainsLeft, under }) => (
          <>
            {domains.length === 0 ? (
              <EmptyState title="No domains yet">
                Add a domain of yours for masks such as shop@your-domain.example. A record in its DNS proves
                that it is yours.
              </EmptyState>
            ) : (
              <ItemList label="Domains">
                {domains.map((domain) => (
                  <DomainRow key={domain.id} domain={domain} isDisabled={outdated !== null} onOpen={open} />
                ))}
              </ItemList>
            )}
            <ButtonRow>
              {ownLeft > 0 && (
                <Button isDisabled={outdated !== null} onPress={() => open({ kind: "add" })}>
                  Add domain
                </Button>
              )}
              {subdomainsLeft > 0 && (
                <Button isDisabled={outdated !== null} onPress={() => open({ kind: "claim" })}>
                  Claim a name at {under}
                </Button>
              )}
            </ButtonRow>
          </>
        )}
      </LoadedItems>
      {opened && (
        <DialogAddress key={opened.key} value={addressText(pathOf(opened.target))}>
          <Lazy chunk={dialogs} skeleton={null}>
            {(Dialogs) => (
              <Dialogs
                feature={feature}
                target={opened.target}
                isOpen={isOpen}
                onClose={close}
                onAdded={(id) => open({ kind: "domain", id })}
              />
            )}
          </Lazy>
        </DialogAddress>
      )}
    </UntitledCard>
  );
};
