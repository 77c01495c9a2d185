import type { ComponentType } from "react";
import { isActive, type Mask, plainFieldsOf } from "../../../core/masks/mask.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo, openPage } from "../../navigation/goTo.ts";
import { CopyIcon } from "../../ui/icons/CopyIcon.tsx";
import { EditIcon } from "../../ui/icons/EditIcon.tsx";
import type { IconProps } from "../../ui/icons/IconFrame.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MaskIcon } from "../../ui/icons/MaskIcon.tsx";
import { PinIcon } from "../../ui/icons/PinIcon.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { ShieldIcon } from "../../ui/icons/ShieldIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";
import type { MaskDialog } from "./maskDialog.ts";

/** A dialog about one mask. */
type OwnDialog = Extract<MaskDialog, { readonly mask: Mask }>["kind"];

/** What is done where the mask is shown, without a dialog or a page. */
type Act = "copy" | "link" | "rename" | "pin" | "switchOff" | "switchOn";

/** Something that can be done with a mask. */
export interface MaskAction {
  /** What it is called where the mask is in sight. */
  readonly label: string | ((mask: Mask) => string);
  readonly Icon: ComponentType<IconProps>;
  /** A dialog over the list, a page, a tab, or what is done at once. */
  readonly does:
    | { readonly dialog: OwnDialog }
    | { readonly page: (mask: Mask) => string }
    | { readonly tab: (mask: Mask) => string }
    | { readonly act: Act };
  /** Says which masks it can be done with; all if it is left out. */
  readonly isFor?: (mask: Mask) => boolean;
}

/** An action that is found by words. */
export interface FoundAction extends MaskAction {
  /** The words that people type for it. */
  readonly keywords: string;
  /** What it is called before a mask is chosen. */
  readonly question: string;
  /** What it is called with the name of a mask. */
  readonly labelFor: (name: string) => string;
}

/** All that can be done with a mask: where it is offered is said by who reads the table. */
export const maskActions = {
  open: {
    label: "Open",
    Icon: MaskIcon,
    does: { page: ({ id }) => addressText(["mask"], { id }) },
    question: "Open a mask",
    keywords: "open, show, view, figures, history, page of a mask",
    labelFor: (name) => `Open ${name}`,
  },
  copy: {
    label: "Copy mask",
    Icon: CopyIcon,
    does: { act: "copy" },
    question: "Copy the address of a mask",
    keywords: "copy, copy address, clipboard",
    labelFor: (name) => name,
  },
  link: { label: "Copy link", Icon: CopyIcon, does: { act: "link" } },
  edit: {
    label: "Edit mask",
    Icon: EditIcon,
    does: { dialog: "edit" },
    question: "Edit a mask",
    keywords:
      "edit, change, rename, expiry, expire, prefix, spam filter, who may write, allow, allowlist, whitelist, trust",
    labelFor: (name) => `Edit ${name}`,
  },
  rename: { label: "Rename", Icon: EditIcon, does: { act: "rename" } },
  write: {
    label: "Reply or write",
    Icon: MailIcon,
    does: { dialog: "correspondents" },
    question: "Reply or write",
    keywords: "reply, write, send, compose, answer, respond, new mail, correspondents, contacts, people",
    labelFor: (name) => `Reply or write from ${name}`,
  },
  destination: { label: "Add destination", Icon: PlusIcon, does: { dialog: "destination" } },
  rules: {
    label: "Rules",
    Icon: RulesIcon,
    does: { tab: ({ id }) => addressText(["rules", id]) },
    question: "Show the rules of a mask",
    keywords: "rules, rules of",
    labelFor: (name) => `Rules of ${name}`,
  },
  block: {
    label: "Block a sender",
    Icon: ShieldIcon,
    does: { dialog: "block" },
    question: "Block a sender",
    keywords: "block, unblock, ban, blocklist, blacklist, refuse, reject",
    labelFor: (name) => `Block a sender at ${name}`,
  },
  held: {
    label: "Held mail",
    Icon: MailIcon,
    does: { page: ({ id }) => addressText(["held"], { mask: id }) },
  },
  mailbox: {
    label: "Its mail",
    Icon: MailIcon,
    does: { page: ({ id }) => addressText(["mailbox"], { mask: id }) },
    isFor: (mask) => plainFieldsOf(mask).keptInApp !== "no",
  },
  pin: {
    label: ({ pinned }) => (pinned ? "Unpin mask" : "Pin mask"),
    Icon: PinIcon,
    does: { act: "pin" },
  },
  "switch-off": {
    label: "Switch off",
    Icon: MailIcon,
    does: { act: "switchOff" },
    isFor: isActive,
    question: "Switch off a mask",
    keywords: "switch off, switch, pause, disable, stop, turn off, deactivate, mute",
    labelFor: (name) => `Switch off ${name}`,
  },
  "switch-on": {
    label: "Switch on",
    Icon: MailIcon,
    does: { act: "switchOn" },
    isFor: (mask) => !isActive(mask),
    question: "Switch on a mask",
    keywords: "switch on, switch, enable, activate, turn on, resume",
    labelFor: (name) => `Switch on ${name}`,
  },
  delete: {
    label: "Delete mask",
    Icon: TrashIcon,
    does: { dialog: "delete" },
    question: "Delete a mask",
    keywords: "delete, remove",
    labelFor: (name) => `Delete ${name}`,
  },
} as const satisfies Readonly<Record<string, MaskAction | FoundAction>>;

export type MaskActionName = keyof typeof maskActions;

/** The name of an action where the mask is in sight. */
export const labelOf = ({ label }: MaskAction, mask: Mask): string =>
  typeof label === "string" ? label : label(mask);

/** True if an action can be done with a mask. */
export const canBeDone = ({ isFor }: MaskAction, mask: Mask): boolean => isFor === undefined || isFor(mask);

/** The address of what an action leads to; that of the mask in the list for what is done at once. */
export const addressOf = ({ does }: MaskAction, mask: Mask): string => {
  if ("dialog" in does) return addressText(["masks", mask.id, does.dialog]);
  if ("page" in does) return does.page(mask);
  return "tab" in does ? does.tab(mask) : addressText(["masks", mask.id]);
};

/** Does an action with a mask; `acts` are those that are done at once, and a dialog without `openDialog` is gone to. */
export const doAction = (
  action: MaskAction,
  mask: Mask,
  acts: Partial<Readonly<Record<Act, (mask: Mask) => void>>>,
  openDialog?: (dialog: MaskDialog) => void,
): void => {
  const { does } = action;
  const address = addressOf(action, mask);
  if ("act" in does) acts[does.act]?.(mask);
  else if ("page" in does) openPage(address);
  else if ("dialog" in does && openDialog) openDialog({ kind: does.dialog, mask });
  else goTo(address);
};
