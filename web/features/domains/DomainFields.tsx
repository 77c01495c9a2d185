import { useEffect } from "react";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { takesMasks } from "../../../core/domains/domain.ts";
import { createDomains } from "../../../core/domains/domains.ts";
import { toDomainName } from "../../../core/mail/domainName.ts";
import type { MaskDraft } from "../../../core/masks/maskDraft.ts";
import { fieldMessage, useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Select } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";

interface DomainFieldsProps {
  readonly values: Pick<MaskDraft, "domain" | "localPart">;
  readonly change: (part: Pick<MaskDraft, "domain" | "localPart">) => void;
  readonly problem: Problem | null;
}

const installation = "";

/** Chooses the domain of a new mask, and its name there; nothing for a user without a domain that takes masks. */
export const DomainFields = ({ values, change, problem }: DomainFieldsProps) => {
  const feature = useFeature(createDomains);
  const list = useObservable(feature.list$);
  const { run: refresh } = useAction(feature.refresh);
  useEffect(() => refresh(), [refresh]);
  const usable = list?.domains.filter((domain) => takesMasks(domain, Date.now())) ?? [];
  if (list === null || (usable.length === 0 && values.domain === undefined)) return null;
  const shown = usable.find(({ name }) => name === values.domain)?.shownName ?? values.domain;
  return (
    <>
      <Select
        label="Domain"
        options={[
          { value: installation, label: list.under },
          ...usable.map(({ name, shownName }) => ({ value: name, label: shownName })),
        ]}
        value={values.domain ?? installation}
        onChange={(domain) => change({ domain: toDomainName(domain) ?? undefined, localPart: undefined })}
        error={fieldMessage(problem, "domain")}
      />
      {values.domain !== undefined && (
        <TextField
          label="Name before the @"
          placeholder="shop"
          value={values.localPart ?? ""}
          onChange={(localPart) => change({ localPart: localPart || undefined })}
          error={fieldMessage(problem, "localPart")}
          description={`The address is ${values.localPart || "a generated name"}@${shown}.`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          isMonospace
        />
      )}
    </>
  );
};
