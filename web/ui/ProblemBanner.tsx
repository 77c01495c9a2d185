import type { ReactNode } from "react";
import { Banner } from "./Banner.tsx";

export interface ProblemBannerProps {
  readonly problem: { readonly sentence: string } | null;
  /** A button that may help. */
  readonly action?: ReactNode;
}

/** Says what went wrong; nothing where nothing did, or where what did stands beside a field. */
export const ProblemBanner = ({ problem, action }: ProblemBannerProps) =>
  problem && problem.sentence !== "" ? (
    <Banner kind="error" action={action}>
      {problem.sentence}
    </Banner>
  ) : null;
