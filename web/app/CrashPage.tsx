import type { ReactNode } from "react";
import { startFailureMessage } from "../../core/api/errorMessages.ts";
import type { Reporter } from "../../core/ports/reporter.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBoundary } from "../ui/feedback/ErrorBoundary.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import { WarningIcon } from "../ui/icons/WarningIcon.tsx";
import styles from "./CrashPage.module.css";

const FailurePage = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <main className={styles.page}>
    <div role="alert" className={styles.message}>
      <span aria-hidden="true">
        <WarningIcon size={32} />
      </span>
      <h1>{title}</h1>
      {children}
    </div>
    <Button variant="primary" onPress={() => window.location.reload()} icon={<RefreshIcon size={18} />}>
      Refresh the page
    </Button>
  </main>
);

/** Replaces the page when it could not start (SE10). */
export const StartFailure = () => <FailurePage title={startFailureMessage} />;

interface PageBoundaryProps {
  readonly reporter: Reporter;
  readonly children: ReactNode;
}

/** Replaces the page after a crash that no inner error boundary has caught, and reports it (SH4). */
export const PageBoundary = ({ reporter, children }: PageBoundaryProps) => (
  <ErrorBoundary
    onError={(error) => reporter.report(error, { part: "page" })}
    fallback={() => (
      <FailurePage title="Something went wrong.">
        <p>Everything you saved is kept. Refresh the page to continue.</p>
      </FailurePage>
    )}
  >
    {children}
  </ErrorBoundary>
);
