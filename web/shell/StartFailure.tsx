import { startFailure } from "../../core/sentences/startFailure.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import styles from "./CrashPanel.module.css";

/** Stands where the page would, when it could not start (SE10). */
export const StartFailure = () => (
  <main className={styles.panel}>
    <div role="alert">
      <EmptyState
        title={startFailure}
        action={
          <Button variant="primary" onPress={() => window.location.reload()} icon={<RefreshIcon size={18} />}>
            Refresh the page
          </Button>
        }
      />
    </div>
  </main>
);
