import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import styles from "./InsightsTab.module.css";

const wide = ["9rem", "14rem"];
const panels = ["12rem", "12.5rem", "11rem", "11.5rem"];

/** The tab while its figures are on their way (IN1). */
export const InsightsSkeleton = () => (
  <div aria-busy="true" className={styles.body}>
    <p role="status" className={styles.loading}>
      Loading insights...
    </p>
    {wide.map((height) => (
      <Card key={height}>
        <Skeleton height={height} shape="block" />
      </Card>
    ))}
    <div className={styles.columns}>
      {panels.map((height) => (
        <Card key={height}>
          <Skeleton height={height} shape="block" />
        </Card>
      ))}
    </div>
  </div>
);
