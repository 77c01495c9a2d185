import { sellsPlans } from "../../../../core/api/configuration.ts";
import { mayChoosePrefix, type Tier } from "../../../../core/tiers/tier.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";

/** A larger plan does not always allow a prefix: Business is above Premium and has none. */
const randomPrefixHint = (tier: Tier, sells: boolean): string => {
  if (!sells) return "Addresses begin at random on this server.";
  return tier === "business"
    ? "Masks of the Business plan begin at random."
    : "With the Premium plan you choose how the address begins. Otherwise it is random.";
};

interface PrefixFieldProps {
  readonly value: string;
  readonly onChange: (customPrefix: string) => void;
  readonly error: string | undefined;
  readonly longest: number;
  /** Explains the prefix, for users whose plan allows one. */
  readonly hint: string;
}

/** The field for the beginning of a mask's address, where the plan lets the user choose. */
export const PrefixField = ({ value, onChange, error, longest, hint }: PrefixFieldProps) => {
  const { masks } = useSignedIn();
  const { tier } = useObservable(masks.plan$);
  const sells = sellsPlans(useApp().configuration);
  const isAllowed = mayChoosePrefix(tier);
  return (
    <TextField
      label="Custom prefix"
      labelAside={sells && <Badge kind="accent">PRO</Badge>}
      value={value}
      onChange={onChange}
      error={error}
      description={isAllowed ? hint : randomPrefixHint(tier, sells)}
      isDisabled={!isAllowed}
      maxLength={longest}
      showsCount={isAllowed}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      isMonospace
    />
  );
};
