import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RefreshIcon } from "../ui/icons.tsx";
import styles from "./ChunkFailure.module.css";

interface ChunkFailureProps {
  /** How often it has failed so far; after the second time there is a stronger remedy. */
  readonly failures: number;
  readonly onRetry: () => void;
}

/** Stands where a part of the page would, when it could not be fetched. */
export const ChunkFailure = ({ failures, onRetry }: ChunkFailureProps) => (
  <div role="alert">
    <EmptyState
      title="This part of the page could not be loaded."
      action={
        <div className={styles.ways}>
          <Button onPress={onRetry} icon={<RefreshIcon size={18} />}>
            Try Again
          </Button>
          {failures > 1 && <Button onPress={() => window.location.reload()}>Refresh the page</Button>}
        </div>
      }
    >
      Check your connection, then try again. Nothing you saved is lost.
    </EmptyState>
  </div>
);
