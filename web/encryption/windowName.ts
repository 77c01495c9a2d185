/** The windows that the encryption card opens. */
export type WindowName = "setup" | "import" | "backup" | "replace" | "own" | "off" | "forget" | "read";
