import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  readonly onError: (error: unknown) => void;
  /** Renders in place of the crashed part; `retry` renders the part again. */
  readonly fallback: (retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Replaces what is inside when it crashes while rendering, so that the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError = () => ({ hasCrashed: true });

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    const retry = (): void => this.setState({ hasCrashed: false });
    return this.state.hasCrashed ? this.props.fallback(retry) : this.props.children;
  }
}
