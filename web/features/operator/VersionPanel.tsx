import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { Badge } from "../../ui/Badge.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import styles from "./operator.module.css";

/** Shows the running version, and what the installed one changes after a restart. */
export const VersionPanel = ({ version }: Pick<OperatorOverview, "version">) => {
  const { running, installed, changes } = version;
  const isOutdated = installed !== running;
  return (
    <SectionCard
      id={useId()}
      title="Version"
      aside={
        <Badge kind={isOutdated ? "warning" : "neutral"}>
          {isOutdated ? `${running}, restart for ${installed}` : running}
        </Badge>
      }
      text={
        isOutdated
          ? "A newer version is installed. It runs after a restart."
          : "The installed version is running. The server does not look for newer ones."
      }
    >
      {changes.map(({ version: name, entries }) => (
        <details key={name} open={isOutdated}>
          <summary className={styles.summary}>
            What {/^\d/.test(name) ? name : "this version"} changes ({entries.length})
          </summary>
          <ul className={styles.changes}>
            {entries.map((entry) => (
              <li key={entry}>{entry.replaceAll("`", "")}</li>
            ))}
          </ul>
        </details>
      ))}
      {changes.length === 0 && <p className={styles.muted}>No changelog is installed.</p>}
    </SectionCard>
  );
};
