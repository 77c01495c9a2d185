import type { ReactNode } from "react";
import type { LatePart } from "../../core/app/lateParts.ts";
import { useLatePart } from "../react/useLatePart.ts";
import { ChunkFailure } from "./ChunkFailure.tsx";

interface WithPartProps<A> {
  readonly late: LatePart<A>;
  /** Has the shape of what is being fetched. */
  readonly skeleton: ReactNode;
  readonly children: (part: A) => ReactNode;
}

/** Draws with a feature that is fetched late; when it cannot be had, a way to try again. */
export const WithPart = <A,>({ late, skeleton, children }: WithPartProps<A>) => {
  const { part, isMissing, retry } = useLatePart(late);
  if (part !== undefined) return children(part);
  return isMissing ? <ChunkFailure failures={1} onRetry={retry} /> : skeleton;
};
