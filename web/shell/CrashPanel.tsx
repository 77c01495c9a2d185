import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import { WarningIcon } from "../ui/icons/WarningIcon.tsx";
import styles from "./CrashPanel.module.css";

/** Stands where a screen was that has crashed (SH4). */
export const CrashPanel = () => (
  <div className={styles.panel} role="alert">
    <EmptyState
      title="Something went wrong."
      illustration={<WarningIcon size={32} />}
      action={
        <Button variant="primary" onPress={() => window.location.reload()} icon={<RefreshIcon size={18} />}>
          Refresh the page
        </Button>
      }
    />
  </div>
);
