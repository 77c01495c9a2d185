import * as t from "io-ts";
import { limitUpTo } from "./queryCodecs.ts";

/** The most entries of a page. */
export const maxPageSize = 1_000;

/** The query of a long list: all that it answers at once, or at most `limit` (1 to 1,000) after the entry `after`. */
export const listPage = { limit: limitUpTo(maxPageSize), after: t.string };

/** Says that others follow the last entry. */
export const isMore = { isMore: t.literal(true) };
