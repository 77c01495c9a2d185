import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

const partNames: Readonly<Record<string, string>> = {
  http: "Web (HTTP)",
  smtp: "Arriving mail (SMTP)",
  store: "Database",
  delivery: "Delivery",
};

/** Shows whether each part of the server is ready. */
export const HealthPanel = ({ health, problems }: Pick<OperatorOverview, "health" | "problems">) => (
  <SectionCard id={useId()} title="Health">
    {problems.map((problem) => (
      <Banner key={problem} kind="warning">
        {problem}
      </Banner>
    ))}
    <ul className={rows.rows}>
      {health.map(({ part, isReady }) => (
        <li key={part} className={rows.row}>
          <span>{partNames[part] ?? part}</span>
          <Badge kind={isReady ? "success" : "danger"} hasDot>
            {isReady ? "Ready" : "Not ready"}
          </Badge>
        </li>
      ))}
    </ul>
  </SectionCard>
);
