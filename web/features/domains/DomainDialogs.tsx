import { useState } from "react";
import { type Domain, maxSubdomainLength } from "../../../core/domains/domain.ts";
import type { Domains } from "../../../core/domains/domains.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
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
const AddDialog = ({ feature, kind, isOpen, onClose, onAdded }: AddDialogProps) => {
  const [typed, setTyped] = useState("");
  const under = useObservable(feature.list$)?.under ?? "";
  const isOwn = kind === "add";
  const add = useFormAction(feature.add, { onSuccess: ({ id }) => onAdded(id) });
  const problem = fieldMessage(add.problem, isOwn ? "name" : "label");
  const title = isOwn ? "Add domain" : "Claim a name";
  const label = typed.trim().toLowerCase() || "name";
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      size="small"
      onSubmit={() => add.run(isOwn ? { name: typed } : { label: typed })}
      isPending={add.isRunning}
      submitLabel={title}
      pendingLabel={isOwn ? "Adding…" : "Claiming…"}
    >
      <TextField
        label={isOwn ? "Domain" : "Name"}
        placeholder={isOwn ? "example.com" : "ada"}
        {...(isOwn ? { inputMode: "url" } : { maxLength: maxSubdomainLength })}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          add.clearProblem();
        }}
        error={problem}
        description={
          isOwn
            ? "A domain or sub-domain whose DNS you can change, and that takes no other mail: its mail comes here."
            : `Your masks are then anything@${label}.${under}. The name stays yours and is never given to anybody else.`
        }
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        isMonospace
        autoFocus
      />
      {problem === undefined && <ProblemBanner problem={add.problem} />}
    </FormDialog>
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
