import type { ReactNode } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import { isActive, type Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo, openPage } from "../../navigation/goTo.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { CopyIcon } from "../../ui/icons/CopyIcon.tsx";
import { EditIcon } from "../../ui/icons/EditIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MaskIcon } from "../../ui/icons/MaskIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { ShieldIcon } from "../../ui/icons/ShieldIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";

/** Something that can be done with a mask. */
export interface MaskVerb {
  readonly id: string;
  /** What it is called before a mask is chosen. */
  readonly label: string;
  /** The words that people type for it. */
  readonly keywords: string;
  readonly icon: ReactNode;
  /** True if it is offered below the mask that fits best. */
  readonly isOffered: boolean;
  /** Says which masks it can be done with; all if it is left out. */
  readonly isFor?: (mask: Mask) => boolean;
  readonly labelOf: (mask: Mask) => string;
  readonly run: (mask: Mask) => void;
}

/** True if a verb can be done with a mask. */
export const canBeDone = ({ isFor }: MaskVerb, mask: Mask): boolean => isFor === undefined || isFor(mask);

/** Returns what can be done with a mask; the first is done by Enter on its name. */
export const useMaskVerbs = (): readonly [MaskVerb, ...MaskVerb[]] => {
  const { masks } = useSignedIn();
  const copy = useAction(masks.copyAddress);
  const { run: setActive } = useAction(masks.setActive);
  const showDialog =
    (kind: string) =>
    ({ id }: Mask): void =>
      goTo(addressText(["masks", id, kind]));
  return [
    {
      id: "copy",
      label: "Copy the address of a mask",
      keywords: "copy, copy address, clipboard",
      icon: <CopyIcon />,
      isOffered: false,
      labelOf: maskName,
      run: ({ id }) => copy.run(id),
    },
    {
      id: "open",
      label: "Open a mask",
      keywords: "open, show, view, figures, history, page of a mask",
      icon: <MaskIcon />,
      isOffered: true,
      labelOf: (mask) => `Open ${maskName(mask)}`,
      run: ({ id }) => openPage(addressText(["mask"], { id })),
    },
    {
      id: "switch-off",
      label: "Switch off a mask",
      keywords: "switch off, switch, pause, disable, stop, turn off, deactivate, mute",
      icon: <MailIcon />,
      isOffered: true,
      isFor: isActive,
      labelOf: (mask) => `Switch off ${maskName(mask)}`,
      run: ({ id }) => setActive(id, false),
    },
    {
      id: "switch-on",
      label: "Switch on a mask",
      keywords: "switch on, switch, enable, activate, turn on, resume",
      icon: <MailIcon />,
      isOffered: true,
      isFor: (mask) => !isActive(mask),
      labelOf: (mask) => `Switch on ${maskName(mask)}`,
      run: ({ id }) => setActive(id, true),
    },
    {
      id: "rules",
      label: "Show the rules of a mask",
      keywords: "rules, rules of",
      icon: <RulesIcon />,
      isOffered: true,
      labelOf: (mask) => `Rules of ${maskName(mask)}`,
      run: ({ id }) => goTo(addressText(["rules", id])),
    },
    {
      id: "block",
      label: "Block a sender",
      keywords: "block, unblock, ban, blocklist, blacklist, refuse, reject",
      icon: <ShieldIcon />,
      isOffered: true,
      labelOf: (mask) => `Block a sender at ${maskName(mask)}`,
      run: showDialog("block"),
    },
    {
      id: "write",
      label: "Reply or write",
      keywords: "reply, write, send, compose, answer, respond, new mail, correspondents, contacts, people",
      icon: <MailIcon />,
      isOffered: true,
      labelOf: (mask) => `Reply or write from ${maskName(mask)}`,
      run: showDialog("correspondents"),
    },
    {
      id: "edit",
      label: "Edit a mask",
      keywords:
        "edit, change, rename, expiry, expire, prefix, spam filter, who may write, allow, allowlist, whitelist, trust",
      icon: <EditIcon />,
      isOffered: false,
      labelOf: (mask) => `Edit ${maskName(mask)}`,
      run: showDialog("edit"),
    },
    {
      id: "delete",
      label: "Delete a mask",
      keywords: "delete, remove",
      icon: <TrashIcon />,
      isOffered: false,
      labelOf: (mask) => `Delete ${maskName(mask)}`,
      run: showDialog("delete"),
    },
  ];
};

/** The text that asks for a mask to do something with. */
export const questionOf = ({ label }: MaskVerb): string => `${label}: `;

/** A verb that a text begins with, and the rest, which is to name a mask. */
export interface VerbAndMask {
  readonly verb: MaskVerb;
  readonly rest: string;
  /** True if the text is the question of the verb, with whatever follows it. */
  readonly isQuestion: boolean;
}

/** Reads "block shop" and "Block a sender: shop"; "switch shop" is of two verbs, and most texts begin with none. */
export const readVerbs = (verbs: readonly MaskVerb[], text: string): readonly VerbAndMask[] => {
  const typed = toSearchText(text);
  const found = verbs.flatMap((verb) => [
    { verb, start: toSearchText(questionOf(verb)), isQuestion: true },
    ...verb.keywords.split(", ").map((word) => ({ verb, start: `${word} `, isQuestion: false })),
  ]);
  const begun = found.filter(({ start }) => typed.startsWith(start));
  const longest = Math.max(...begun.map(({ start }) => start.length));
  return begun
    .filter(({ start }) => start.length === longest)
    .map(({ start, ...verb }) => ({ ...verb, rest: typed.slice(start.length).trim() }));
};
