import * as t from "io-ts";
import { refined, withMessage } from "../api/textCodecs.ts";
import { isOffered, MaskListSettings } from "./maskListSettings.ts";

const isOnce = ({ columns }: MaskListSettings): boolean => new Set(columns).size === columns.length;

/** The settings of the list as an account has them, for all devices: what the list offers, and each column once. */
export const SharedListSettings = withMessage(
  refined(t.exact(MaskListSettings), (settings) => isOffered(settings) && isOnce(settings), ""),
  "Choose what the list offers: an order, a layout, a number of masks on a page, and each column once",
);
