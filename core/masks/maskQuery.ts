export type MaskFilter = "all" | "active" | "disabled";

/** What is asked of the list. `page` counts from 1. */
export interface MaskQuery {
  readonly search: string;
  readonly filter: MaskFilter;
  readonly page: number;
}

/** What is asked at first. */
export const everyMask: MaskQuery = { search: "", filter: "all", page: 1 };
