import { Component, type ReactNode } from "react";
import { startFailureMessage } from "../../core/api/errorMessages.ts";
import type { Reporter } from "../../core/ports/reporter.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RefreshIcon, WarningIcon } from "../ui/icons.tsx";
import styles from "./ErrorBoundary.module.css";

/** Replaces a crashed screen with a message and a reload button (SH4). */
const CrashPanel = () => (
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

/** Replaces the page when it could not start (SE10). */
export const StartFailure = () => (
  <main className={styles.panel}>
    <div role="alert">
      <EmptyState
        title={startFailureMessage}
        action={
          <Button variant="primary" onPress={() => window.location.reload()} icon={<RefreshIcon size={18} />}>
            Refresh the page
          </Button>
        }
      />
    </div>
  </main>
);

interface ErrorBoundaryProps {
  readonly reporter: Reporter;
  /** The name of this part of the page in the error report: "masks". */
  readonly part: string;
  readonly children: ReactNode;
}

/** Replaces a crashed part of the page with CrashPanel and reports the error (SH4). */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError = () => ({ hasCrashed: true });

  override componentDidCatch(error: unknown): void {
    this.props.reporter.report(error, { part: this.props.part });
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? <CrashPanel /> : this.props.children;
  }
}
