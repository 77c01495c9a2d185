import { type ApiScope, hasScope } from "../api/apiScope.ts";
import { scopeTexts } from "./scopeTexts.ts";

/** The scopes that a user can choose for a new token, in the order of their sentences: all that some call asks for. */
export const offeredScopes: readonly ApiScope[] = Object.keys(scopeTexts) as ApiScope[];

/** Scopes that a kind of programs needs, under its name. */
export interface ScopePreset {
  readonly label: string;
  readonly scopes: readonly ApiScope[];
}

/** The kinds of programs that are offered before single scopes. */
export const scopePresets = {
  passwordManager: { label: "Password manager", scopes: ["masks:create"] },
  apps: {
    label: "Apps and extensions",
    scopes: offeredScopes.filter((scope) => scope !== "log:read" && !hasScope([scope], "codes:read")),
  },
} as const satisfies Readonly<Record<string, ScopePreset>>;
export type ScopePresetName = keyof typeof scopePresets;

/** True if a token with these scopes can do nothing but make masks. Only such a one can be limited to one domain. */
export const canOnlyMakeMasks = (scopes: readonly ApiScope[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => scope === "masks:create");
