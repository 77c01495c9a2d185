import type { ComponentType } from "react";
import { type Chunk, createChunk } from "../loading/chunk.ts";
import type { PageProps } from "../navigation/pageProps.ts";

export type PageName = "developers" | "held" | "log" | "mailbox" | "mask" | "operator";

/** The pages that have no tab of their own: their titles and their code. */
export const pages: Readonly<
  Record<PageName, { readonly title: string; readonly chunk: Chunk<ComponentType<PageProps>> }>
> = {
  developers: {
    title: "Developers",
    chunk: createChunk(
      () => import("./developers/DevelopersPage.tsx"),
      (module) => module.DevelopersPage,
    ),
  },
  held: {
    title: "Held mail",
    chunk: createChunk(
      () => import("../features/held/HeldPage.tsx"),
      (module) => module.HeldPage,
    ),
  },
  log: {
    title: "Log",
    chunk: createChunk(
      () => import("../features/mailLog/LogPage.tsx"),
      (module) => module.LogPage,
    ),
  },
  mailbox: {
    title: "Mail in the app",
    chunk: createChunk(
      () => import("../features/archive/MailboxPage.tsx"),
      (module) => module.MailboxPage,
    ),
  },
  mask: {
    title: "Mask",
    chunk: createChunk(
      () => import("../features/mailLog/MaskPage.tsx"),
      (module) => module.MaskPage,
    ),
  },
  operator: {
    title: "Operator",
    chunk: createChunk(
      () => import("../features/operator/OperatorPage.tsx"),
      (module) => module.OperatorPage,
    ),
  },
};
