import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { labelOf, parseTier } from "../../../core/tiers/tier.ts";
import { formatNumber } from "../../format/numbers.ts";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

/** Shows the number of accounts, all and by plan. */
export const UsersPanel = ({ users }: Pick<OperatorOverview, "users">) => (
  <SectionCard
    id={useId()}
    title="Users"
    aside={<span>{formatNumber(users.reduce((sum, { count }) => sum + count, 0))} in all</span>}
  >
    <ul className={rows.rows}>
      {users.map(({ tier, count }) => (
        <li key={tier} className={rows.row}>
          <span>{labelOf[parseTier(tier)]}</span>
          <span>{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  </SectionCard>
);
