export type MaskFilter = "all" | "active" | "disabled";

/** Search text, filter and page of the mask list. `page` counts from 1. */
export interface MaskQuery {
  readonly search: string;
  readonly filter: MaskFilter;
  readonly page: number;
}

/** The initial query, which selects every mask. */
export const defaultMaskQuery: MaskQuery = { search: "", filter: "all", page: 1 };

/** Path of the mask list, separate from its endpoint so that the sign-in bundle does not load the codecs. */
export const maskListPath = "/masks";

/** The masks of one part of the list; a longer list is fetched, decoded and shown in parts. */
export const masksPerPart = 500;

/** The address of the first part, which the page requests before the app runs. */
export const firstMasksUrl = `${maskListPath}?limit=${masksPerPart}`;
