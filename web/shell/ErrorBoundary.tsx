import { Component, type ReactNode } from "react";
import type { Reporter } from "../../core/ports/reporter.ts";
import { CrashPanel } from "./CrashPanel.tsx";

interface ErrorBoundaryProps {
  readonly reporter: Reporter;
  /** Which part of the page this is, for the report: "masks". */
  readonly part: string;
  readonly children: ReactNode;
}

/** Shows a way out in place of a part of the page that has crashed, and reports the crash (SH4). */
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
