import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { dayText } from "../../format/dates.ts";
import { formatNumber } from "../../format/numbers.ts";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import styles from "./operator.module.css";

const columns = ["accepted", "delivered", "refused", "spam"] as const;
const columnNames = { accepted: "Accepted", delivered: "Delivered", refused: "Refused", spam: "Spam" };

/** Shows the mail of today and yesterday. */
export const MailPanel = ({ days }: { readonly days: OperatorOverview["mail"] }) => {
  const id = useId();
  const isEmpty = days.every((day) => columns.every((column) => day[column] === 0));
  return (
    <SectionCard
      id={id}
      title="Mail"
      text="Days in UTC. Accepted mail may lead to several delivered copies or to none; spam is part of the refused mail."
    >
      {isEmpty ? (
        <p className={styles.muted}>No mail has arrived today or yesterday.</p>
      ) : (
        <table className={styles.table} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnNames[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{dayText(day.day, "short")}</th>
                {columns.map((column) => (
                  <td key={column}>{formatNumber(day[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SectionCard>
  );
};
