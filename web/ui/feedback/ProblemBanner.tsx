import type { ReactNode } from "react";
import { Button } from "../Button.tsx";
import { Banner } from "./Banner.tsx";

export interface ProblemBannerProps {
  readonly problem: { readonly message: string } | null;
  /** A button that may solve the problem, such as a retry. */
  readonly action?: ReactNode;
}

/** An error banner with the problem's message. Renders nothing without a problem, or when its messages belong to fields only. */
export const ProblemBanner = ({ problem, action }: ProblemBannerProps) =>
  problem && problem.message !== "" ? (
    <Banner kind="error" action={action}>
      {problem.message}
    </Banner>
  ) : null;

export interface RetryBannerProps {
  readonly problem: ProblemBannerProps["problem"];
  readonly onRetry: () => void;
  readonly isRetrying: boolean;
}

/** The banner of a request that failed, with a button that sends it again. Renders nothing without a problem. */
export const RetryBanner = ({ problem, onRetry, isRetrying }: RetryBannerProps) => (
  <ProblemBanner
    problem={problem}
    action={
      <Button size="small" onPress={onRetry} isPending={isRetrying}>
        Try Again
      </Button>
    }
  />
);
