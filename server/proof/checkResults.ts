import type { AuthenticateResult } from "mailauth";

/** The results of all checks of a sender, as mailauth gives them. */
export type Results = Pick<AuthenticateResult, "dkim" | "spf" | "dmarc" | "arc">;
