import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Two-factor authentication, once its code is here. */
export type TwoFactor = PartOf<App["twoFactor"]>;
