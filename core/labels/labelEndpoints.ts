import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { isMore, listPage } from "../api/listPage.ts";
import { Label as LabelName } from "./label.ts";

/** The colors of labels; each is shown beside the name, which alone carries the meaning. */
export const LabelColor = t.keyof({
  gray: null,
  teal: null,
  blue: null,
  purple: null,
  green: null,
  amber: null,
  red: null,
});
export type LabelColor = t.TypeOf<typeof LabelColor>;

/** A label of a user; names that differ only in case or accents are one label. */
export const Label = t.type({
  name: t.string,
  color: LabelColor,
  /** The number of masks that have it, without deleted ones. */
  masks: t.number,
});
export type Label = t.TypeOf<typeof Label>;

/** The most labels with a color of their own, or without masks. */
export const maxStoredLabels = 500;

/** The name of the label in the path; 404 when the user has none of this name. */
const params = t.type({ name: t.string });

/**
 * Lists the user's labels by name: those that masks have, and those that were made without one; all, or at most `limit` (1 to
 * 1,000) of those that follow the label `after`. `isMore` says that others follow. Extends the contract.
 */
export const listLabels = endpoint("GET", "/labels", {
  tokens: "masks:read",
  params: t.partial(listPage),
  answer: t.intersection([t.type({ labels: t.array(Label) }), t.partial(isMore)]),
});

/** Makes a label, or returns the one with this name; `color` is gray when left out. */
export const postLabel = endpoint("POST", "/labels", {
  tokens: "masks:write",
  body: t.intersection([t.type({ name: LabelName }), t.partial({ color: LabelColor })]),
  answer: Label,
});

const LabelChange = t.partial({
  name: LabelName,
  color: LabelColor,
  /** Allows a new name that another label has: their masks then share that one. */
  merge: t.boolean,
});
export type LabelChange = t.TypeOf<typeof LabelChange>;

/** Renames a label on all masks and in rules, merges it into another one, or colors it. 409 for the name of another label without `merge`. */
export const patchLabel = endpoint("PATCH", "/labels/:name", {
  tokens: "masks:write",
  params,
  body: LabelChange,
  answer: Label,
});

/** Removes a label from all masks. */
export const deleteLabel = endpoint("DELETE", "/labels/:name", { tokens: "masks:write", params });
