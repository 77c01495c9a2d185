import { type ReactNode, useCallback } from "react";
import { useApp, useReporter } from "../react/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { ErrorBoundary } from "../ui/feedback/ErrorBoundary.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import styles from "./Lazy.module.css";

interface GuardedProps {
  /** The name of the part in the error report, such as "masks". */
  readonly part: string;
  readonly children: ReactNode;
}

const useReport = (part: string): ((error: unknown) => void) => {
  const reporter = useReporter();
  return useCallback((error: unknown) => reporter?.report(error, { part }), [reporter, part]);
};

/** Replaces a panel or a tab that has crashed with a message; the rest of the page stays (SH4). */
export const Guarded = ({ part, children }: GuardedProps) => {
  const report = useReport(part);
  return (
    <ErrorBoundary
      onError={report}
      fallback={(retry) => (
        <div role="alert">
          <EmptyState
            title="Something went wrong."
            action={
              <div className={styles.actions}>
                <Button onPress={retry} icon={<RefreshIcon size={18} />}>
                  Try Again
                </Button>
                <Button onPress={() => window.location.reload()}>Refresh the page</Button>
              </div>
            }
          >
            This part of the page could not be shown. The rest of the page works.
          </EmptyState>
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
};

/** Leaves out a part that nobody has asked for when it crashes; the page around it stays (SH4). */
export const GuardedExtra = ({ part, children }: GuardedProps) => (
  <ErrorBoundary onError={useReport(part)} fallback={() => null}>
    {children}
  </ErrorBoundary>
);

const dialogCrashedText = "This dialog could not be shown. Nothing was changed.";

/** Closes a dialog that has crashed, with a toast; the page under it stays (SH4). Give it a key for each opening. */
export const GuardedDialog = ({
  part,
  children,
  onClose,
}: GuardedProps & { readonly onClose: () => void }) => {
  const report = useReport(part);
  const { toasts } = useApp();
  const handleError = (error: unknown): void => {
    report(error);
    onClose();
    toasts.show("error", dialogCrashedText);
  };
  return (
    <ErrorBoundary onError={handleError} fallback={() => null}>
      {children}
    </ErrorBoundary>
  );
};
