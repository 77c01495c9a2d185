import { useEffect } from "react";
import { takesMasks } from "../../../core/domains/domain.ts";
import { createDomains } from "../../../core/domains/domains.ts";
import { type DomainName, toDomainName } from "../../../core/mail/domainName.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Select } from "../../ui/form/Select.tsx";

interface TokenDomainFieldProps {
  /** null for all domains of the user. */
  readonly domain: DomainName | null;
  readonly onChange: (domain: DomainName | null) => void;
  /** True if the scopes of the token let it have a domain. */
  readonly isPossible: boolean;
  readonly error: string | undefined;
}

const every = "";

/** Limits a token to one domain; nothing for a user without a domain of their own that takes masks. */
export const TokenDomainField = ({ domain, onChange, isPossible, error }: TokenDomainFieldProps) => {
  const feature = useFeature(createDomains);
  const list = useObservable(feature.list$);
  const { run: refresh } = useAction(feature.refresh);
  useEffect(() => refresh(), [refresh]);
  const usable = list?.domains.filter((one) => takesMasks(one, Date.now())) ?? [];
  if (list === null || usable.length === 0) return null;
  return (
    <Select
      label="Domain"
      options={[
        { value: every, label: "All your domains" },
        { value: list.under, label: list.under },
        ...usable.map(({ name, shownName }) => ({ value: name, label: shownName })),
      ]}
      value={isPossible ? (domain ?? every) : every}
      onChange={(chosen) => onChange(toDomainName(chosen))}
      isDisabled={!isPossible}
      description={
        isPossible
          ? "Where the token creates masks."
          : "Only a token that can do nothing but create masks can be limited to one domain."
      }
      error={error}
    />
  );
};
