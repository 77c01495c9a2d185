import { makeChunk } from "../loading/chunk.ts";
import { masksScreen } from "./masksScreen.ts";

/** The signed-in page, which nobody needs who is not signed in. */
export const frame = makeChunk(
  () => import("./Frame.tsx"),
  (module) => module.Frame,
);

/** Fetches what is seen first after signing in: the frame and its first tab, at once. */
export const prefetchFrame = (): void => {
  frame.prefetch();
  masksScreen.prefetch();
};
