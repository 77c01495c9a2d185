import type { ServerContext } from "../../context/serverContext.ts";

/** The dependencies of the masks' use cases. */
export type MaskDeps = Pick<
  ServerContext,
  | "database"
  | "clock"
  | "random"
  | "hash"
  | "senderLists"
  | "sender"
  | "feed"
  | "delivery"
  | "patterns"
  | "sellsPlans"
>;
