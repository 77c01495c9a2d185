import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import type { SignInWay } from "../../../core/session/signInWay.ts";
import { formatNumber } from "../../format/numbers.ts";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

const labels: Readonly<Record<SignInWay, string>> = {
  code: "By a code",
  passkey: "With a passkey",
  oidc: "By single sign-on",
  link: "By a link of yours",
};

/** Shows the number of open sessions, all and by how they began. */
export const SignInsPanel = ({ sessions }: Pick<OperatorOverview, "sessions">) => (
  <SectionCard
    id={useId()}
    title="Open sessions"
    aside={<span>{formatNumber(sessions.reduce((sum, { count }) => sum + count, 0))} in all</span>}
  >
    <ul className={rows.rows}>
      {sessions.map(({ way, count }) => (
        <li key={way} className={rows.row}>
          <span>{labels[way]}</span>
          <span>{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  </SectionCard>
);
