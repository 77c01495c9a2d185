import { useState } from "react";
import type { ApiScope } from "../../../core/api/apiScope.ts";
import {
  endNoticeDays,
  maxApiTokenName,
  type TokenLifetime,
} from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { ApiTokens, MadeApiToken } from "../../../core/apiTokens/apiTokens.ts";
import {
  canOnlyMakeMasks,
  offeredScopes,
  type ScopePresetName,
  scopePresets,
} from "../../../core/apiTokens/scopePresets.ts";
import { scopeTexts } from "../../../core/apiTokens/scopeTexts.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import { shortDate } from "../../format/dates.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ChipField } from "../../ui/form/ChipField.tsx";
import type { Chip } from "../../ui/form/ChipGroup.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { TokenDomainField } from "./TokenDomainField.tsx";

interface CreateTokenDialogProps {
  readonly apiTokens: ApiTokens;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: MadeApiToken) => void;
}

type ScopeChoice = ScopePresetName | "custom";

const scopeChoices: readonly Chip<ScopeChoice>[] = [
  { value: "passwordManager", label: scopePresets.passwordManager.label },
  { value: "apps", label: scopePresets.apps.label },
  { value: "custom", label: "Custom" },
];

const scopeChoiceText: Readonly<Record<ScopeChoice, string>> = {
  passwordManager: "It can create masks. It cannot see or change them.",
  apps: "It can create, see and change masks, addresses and correspondents, and see your account. It cannot read the log.",
  custom: "It can do what you tick.",
};

interface ScopeFieldsProps {
  readonly scopes: readonly ApiScope[];
  readonly onChange: (scopes: readonly ApiScope[]) => void;
}

/** Chooses what a token may do: by the kind of program, or each scope alone. */
const ScopeFields = ({ scopes, onChange }: ScopeFieldsProps) => {
  const [choice, setChoice] = useState<ScopeChoice>("passwordManager");
  const choose = (next: ScopeChoice): void => {
    setChoice(next);
    if (next !== "custom") onChange(scopePresets[next].scopes);
  };
  return (
    <>
      <ChipField
        label="What it may do"
        chips={scopeChoices}
        value={choice}
        onChange={choose}
        description={scopeChoiceText[choice]}
      />
      {choice === "custom" && (
        <fieldset className={stack.stack}>
          <legend className="visually-hidden">What it may do exactly</legend>
          {offeredScopes.map((scope) => (
            <Checkbox
              key={scope}
              label={scopeTexts[scope].label}
              description={scopeTexts[scope].detail}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                onChange(offeredScopes.filter((one) => (one === scope ? isChecked : scopes.includes(one))))
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
};

type LifetimeChoice = "30" | "90" | "365" | "none";

const lifetimes: readonly Chip<LifetimeChoice>[] = [
  ...(["30", "90", "365"] as const).map((value) => ({ value, label: `${value} days` })),
  { value: "none", label: "Does not end" },
];

const daysOf: Readonly<Record<LifetimeChoice, TokenLifetime>> = { 30: 30, 90: 90, 365: 365, none: null };

const lifetimeText = (days: TokenLifetime): string =>
  days === null
    ? "It works until you revoke it."
    : `It ends on ${shortDate(new Date(Date.now() + days * dayMs).toISOString())}. You are notified ${endNoticeDays} days before.`;

/** Asks what a new token is for, what it may do and for how long. */
export const CreateTokenDialog = ({ apiTokens, isOpen, onClose, onMade }: CreateTokenDialogProps) => {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly ApiScope[]>(scopePresets.passwordManager.scopes);
  const [domain, setDomain] = useState<DomainName | null>(null);
  const [lifetime, setLifetime] = useState<LifetimeChoice>("90");
  const create = useFormAction(apiTokens.create, { onSuccess: onMade });
  const edited =
    <A,>(set: (value: A) => void) =>
    (value: A): void => {
      set(value);
      create.clearProblem();
    };
  const mayHaveDomain = canOnlyMakeMasks(scopes);
  const nameProblem = fieldMessage(create.problem, "name");
  const domainProblem = mayHaveDomain && domain !== null ? fieldMessage(create.problem, "domain") : undefined;
  const isShownAtField = nameProblem !== undefined || domainProblem !== undefined;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create API token"
      onSubmit={() =>
        create.run({
          name,
          scopes,
          domain: mayHaveDomain ? domain : null,
          lifetimeDays: daysOf[lifetime],
        })
      }
      isPending={create.isRunning}
      submitLabel="Create token"
      pendingLabel="Creating…"
    >
      <TextField
        label="Program"
        placeholder="Bitwarden"
        value={name}
        onChange={edited(setName)}
        maxLength={maxApiTokenName}
        error={nameProblem}
        description="For example “Bitwarden, laptop”."
        autoComplete="off"
        autoFocus
      />
      <ScopeFields scopes={scopes} onChange={edited(setScopes)} />
      <TokenDomainField
        domain={domain}
        onChange={edited(setDomain)}
        isPossible={mayHaveDomain}
        error={domainProblem}
      />
      <ChipField
        label="How long it works"
        chips={lifetimes}
        value={lifetime}
        onChange={edited(setLifetime)}
        description={lifetimeText(daysOf[lifetime])}
      />
      {!isShownAtField && <ProblemBanner problem={create.problem} />}
    </FormDialog>
  );
};
