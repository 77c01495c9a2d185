import { useApp } from "../binding/useApp.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { InsightsScreen } from "./InsightsScreen.tsx";
import { InsightsSkeleton } from "./InsightsSkeleton.tsx";
import styles from "./InsightsTab.module.css";

/** What came of the user's mail, and what would help (IN1). */
export const InsightsTab = () => {
  const { insights } = useApp();
  const skeleton = (
    <>
      <div className={styles.head}>
        <h1>Email Insights</h1>
      </div>
      <InsightsSkeleton />
    </>
  );
  return (
    <WithPart late={insights} skeleton={skeleton}>
      {(part) => <InsightsScreen insights={part} />}
    </WithPart>
  );
};
