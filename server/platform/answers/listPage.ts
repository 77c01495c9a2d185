import { maxPageSize } from "../../../core/api/listPage.ts";
import { fieldError, type UseCaseError } from "../errors/useCaseError.ts";

/** The part of a list that a call asks for; without both, what it answers at once. */
export interface ListPage {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** The error for a page after an entry that is not there. */
export const noSuchEntry = (what: string): UseCaseError =>
  fieldError("invalid", "after", `There is no such ${what} any more. Load the list again.`);

/** Returns a part of a list, and whether others follow; all of it when no part is asked for. */
export const pageOf = <A>(
  list: readonly A[],
  { limit, after }: ListPage,
  { idOf, what }: { readonly idOf: (entry: A) => string; readonly what: string },
): { readonly page: readonly A[]; readonly isMore: boolean } => {
  if (limit === undefined && after === undefined) return { page: list, isMore: false };
  const from = after === undefined ? 0 : list.findIndex((entry) => idOf(entry) === after) + 1;
  if (after !== undefined && from === 0) throw noSuchEntry(what);
  const end = from + (limit ?? maxPageSize);
  return { page: list.slice(from, end), isMore: list.length > end };
};
