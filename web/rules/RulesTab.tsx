import { useApp } from "../binding/useApp.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { RulesScreen } from "./RulesScreen.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import styles from "./RulesTab.module.css";

/** What happens to the mail of each mask (RU1). */
export const RulesTab = () => {
  const { rules } = useApp();
  const skeleton = (
    <>
      <div className={styles.head}>
        <h1>Custom Rules</h1>
      </div>
      <RulesSkeleton />
    </>
  );
  return (
    <WithPart late={rules} skeleton={skeleton}>
      {(part) => <RulesScreen part={part} />}
    </WithPart>
  );
};
