import type { ReactNode } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { canBeDone, doAction, type FoundAction, maskActions } from "../../features/masks/maskActions.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";

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
  readonly canBeDone: (mask: Mask) => boolean;
  readonly labelOf: (mask: Mask) => string;
  readonly run: (mask: Mask) => void;
}

const further = ["open", "switch-off", "switch-on", "rules", "block", "write", "edit", "delete"] as const;

const notOffered: ReadonlySet<string> = new Set(["copy", "edit", "delete"]);

/** Returns what can be done with a mask; the first is done by Enter on its name. */
export const useMaskVerbs = (): readonly [MaskVerb, ...MaskVerb[]] => {
  const { masks } = useSignedIn();
  const copy = useAction(masks.copyAddress);
  const { run: setActive } = useAction(masks.setActive);
  const acts = {
    copy: ({ id }: Mask) => copy.run(id),
    switchOff: ({ id }: Mask) => setActive(id, false),
    switchOn: ({ id }: Mask) => setActive(id, true),
  };
  const toVerb = (id: "copy" | (typeof further)[number]): MaskVerb => {
    const action: FoundAction = maskActions[id];
    return {
      id,
      label: action.question,
      keywords: action.keywords,
      icon: <action.Icon />,
      isOffered: !notOffered.has(id),
      canBeDone: (mask) => canBeDone(action, mask),
      labelOf: (mask) => action.labelFor(maskName(mask)),
      run: (mask) => doAction(action, mask, acts),
    };
  };
  return [toVerb("copy"), ...further.map(toVerb)];
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
