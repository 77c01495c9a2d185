import { type Domain, maxSubdomainLength } from "../../../core/domains/domain.ts";
import type { Domains } from "../../../core/domains/domains.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import { NameDialog } from "../../items/NameDialog.tsx";
import { useObservable } from "../../react/useObservable.ts";
import { DomainDialog } from "./DomainDialog.tsx";

/** A dialog about domains. */
export type DomainTarget =
  | { readonly kind: "add" | "claim" }
  | { readonly kind: "domain"; readonly id: string }
  | { readonly kind: "remove"; readonly domain: Domain };

interface DialogProps {
  readonly feature: Domains;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type AddDialogProps = DialogProps & {
  readonly kind: "add" | "claim";
  /** Called with the id of the added domain. */
  readonly onAdded: (id: string) => void;
};

/** Adds a domain of one's own, or claims a name of the installation. */
const AddDialog = ({ feature, kind, onAdded, ...dialog }: AddDialogProps) => {
  const under = useObservable(feature.list$)?.under ?? "";
  const onDone = ({ id }: Domain): void => onAdded(id);
  const plain = { autoCapitalize: "none", spellCheck: false, isMonospace: true } as const;
  return kind === "add" ? (
    <NameDialog
      {...dialog}
      title="Add domain"
      field={{
        ...plain,
        label: "Domain",
        placeholder: "example.com",
        inputMode: "url",
        description:
          "A domain or subdomain whose DNS you can change and that has no other mail: all its mail comes here.",
      }}
      action={(name) => feature.add({ name })}
      onDone={onDone}
      submitLabel="Add domain"
      pendingLabel="Adding…"
    />
  ) : (
    <NameDialog
      {...dialog}
      title="Claim a name"
      field={(name) => ({
        ...plain,
        label: "Name",
        placeholder: "ada",
        maxLength: maxSubdomainLength,
        description: `Your masks are then anything@${name.trim().toLowerCase() || "name"}.${under}. The name stays yours and is never given to anybody else.`,
      })}
      fields={["label"]}
      action={(label) => feature.add({ label })}
      onDone={onDone}
      submitLabel="Claim a name"
      pendingLabel="Claiming…"
    />
  );
};

const masksThatStop = (masks: number): string => {
  if (masks === 0) return "No mask is there.";
  const which = masks === 1 ? "Its mask stops" : `Its ${masks} masks stop`;
  const they = masks === 1 ? "It rests" : "They rest";
  return `${which} at once, and senders get a refusal. ${they} among the deleted masks for ${trashDays} days, and can be restored when the domain is here again.`;
};

const RemoveDialog = ({ feature, domain, ...dialog }: DialogProps & { readonly domain: Domain }) => {
  const { id, shownName, kind } = domain;
  const list = useObservable(feature.list$);
  const { masks } = list?.domains.find((one) => one.id === id) ?? domain;
  return (
    <ActionDialog
      {...dialog}
      title={`Remove ${shownName}?`}
      confirmLabel="Remove"
      pendingLabel="Removing…"
      isDanger
      action={() => feature.remove(domain)}
    >
      <p>{masksThatStop(masks)}</p>
      <p>
        {kind === "sub"
          ? "The name stays reserved for you: you can claim it again, and nobody else can."
          : "Its settings and the key that signs its mail are deleted. Delete its records from your DNS as well."}
      </p>
    </ActionDialog>
  );
};

interface DomainDialogsProps extends DialogProps {
  readonly target: DomainTarget;
  readonly onAdded: (id: string) => void;
}

/** Shows the requested dialog. */
export const DomainDialogs = ({ target, onAdded, ...dialog }: DomainDialogsProps) => {
  switch (target.kind) {
    case "add":
    case "claim":
      return <AddDialog {...dialog} kind={target.kind} onAdded={onAdded} />;
    case "domain":
      return <DomainDialog {...dialog} id={target.id} />;
    case "remove":
      return <RemoveDialog {...dialog} domain={target.domain} />;
  }
};
