import type { Route } from "../../navigation/route.ts";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { TagIcon } from "../../ui/icons/TagIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";

/** The last part of the address of a dialog over the list. */
export type ListDialogName = "new" | "view" | "labels" | "deleted";

/** A dialog of the masks tab that is about no single mask. */
export interface ListDialog extends Route {
  readonly path: readonly ["masks", ListDialogName];
  /** The key that opens it. */
  readonly key?: string;
  /** What the settings say of it, under its title. */
  readonly setting?: { readonly text: string };
}

/** The dialogs over the list, in the order in which they are offered. */
export const listDialogs: readonly ListDialog[] = [
  { path: ["masks", "new"], title: "Create a mask", icon: PlusIcon, key: "n" },
  {
    path: ["masks", "view"],
    title: "Sort and view",
    icon: SettingsIcon,
    key: "v",
    setting: { text: "Cards or rows, their order, and how many are on a page." },
  },
  {
    path: ["masks", "labels"],
    title: "Labels",
    icon: TagIcon,
    setting: { text: "Rename, color and delete the labels of your masks." },
  },
  {
    path: ["masks", "deleted"],
    title: "Deleted masks",
    icon: TrashIcon,
    isInMenu: true,
    setting: { text: "Restore a mask, or delete it for good." },
  },
];
