import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Content access, once its code is here. */
export type ContentAccess = PartOf<App["contentAccess"]>;
export type ContentAccessView = ContentAccess["view$"]["value"];
