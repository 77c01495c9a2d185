import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Plans to be paid, once their code is here. */
export type Payments = PartOf<App["payments"]>;
export type Order = Parameters<Payments["checkout"]>[0];
export type OpenCheckout = ReturnType<Payments["checkout"]>;
