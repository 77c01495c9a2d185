import { EmptyState } from "../ui/EmptyState.tsx";
import { RulesIcon } from "../ui/icons/RulesIcon.tsx";
import styles from "./RulesTab.module.css";

/** Where rules will be. Until they are, the page says so. */
export const RulesTab = () => (
  <>
    <h1 className={styles.title}>Custom Rules</h1>
    <EmptyState title="Rules are not part of this version yet." illustration={<RulesIcon size={32} />}>
      Every mask forwards all of its mail. To stop the mail of one, switch it off.
    </EmptyState>
  </>
);
