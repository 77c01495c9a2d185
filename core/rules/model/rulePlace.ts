import * as t from "io-ts";

/** The place of the rules of all masks: before or after the rules of the mask that a mail comes to. */
export const AccountPlace = t.keyof({ before: null, after: null });
export type AccountPlace = t.TypeOf<typeof AccountPlace>;

export const accountPlaces: readonly AccountPlace[] = ["before", "after"];

/** Something for each list of rules that decide about a mail, in the order in which they are asked. */
export interface RuleLists<A> extends Readonly<Record<AccountPlace, A>> {
  readonly mask: A;
}

/** What all masks are called, where their two lists of rules are not told apart. */
export const allMasksName = "All masks";

/** The names of the lists for all masks. The one before is what a new rule for all masks goes to. */
export const accountListNames: Readonly<Record<AccountPlace, string>> = {
  before: allMasksName,
  after: `${allMasksName}, after their own rules`,
};

/** When the lists for all masks decide. */
export const accountListTexts: Readonly<Record<AccountPlace, string>> = {
  before: "Before the rules of each mask",
  after: "After the rules of each mask",
};

const idPrefix = "all-masks-";

/** Returns the id of a list for all masks, where lists are known by the id of their mask. */
export const accountListId = (place: AccountPlace): string => idPrefix + place;

/** Returns the place of the list with this id; null for the list of a mask. */
export const placeOfList = (listId: string): AccountPlace | null => {
  const place = listId.startsWith(idPrefix) ? listId.slice(idPrefix.length) : "";
  return AccountPlace.is(place) ? place : null;
};

/** Returns the mask that the rules of a list name; none for a list for all masks. */
export const maskOfList = (listId: string): { readonly maskId?: string } =>
  placeOfList(listId) === null ? { maskId: listId } : {};

/** Stands for a mask where all masks are chosen. */
export const allMasks = "all";

/** Stands for a mask where the rules of all lists are chosen: those of each mask, and those for all masks. */
export const everyRule = "overview";

/** The semantics of the three lists, as screens say it. */
export const ruleOrderText =
  "An email is compared with the rules before, then with those of its mask, then with the rules after. The first rule that blocks it, or that ends the list, ends all three.";
