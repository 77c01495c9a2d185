import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";

/** Stands where a part of the page would, when it could not be fetched. */
export const ChunkFailure = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      title="This part of the page could not be loaded."
      action={
        <Button onPress={onRetry} icon={<RefreshIcon size={18} />}>
          Try Again
        </Button>
      }
    >
      Check your connection, then try again. Nothing you saved is lost.
    </EmptyState>
  </div>
);
