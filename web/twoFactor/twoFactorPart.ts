import type { App } from "../../core/app/createApp.ts";
import type { PartOf } from "../react/useLatePart.ts";

/** The two-factor part of the app after its code is loaded. */
export type TwoFactor = PartOf<App["twoFactor"]>;
