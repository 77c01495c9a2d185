import type { ReactNode } from "react";
import { createCodes } from "../../../core/codes/codes.ts";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../core/labels/label.ts";
import { type Mask, maxDescriptionLength } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { labelSearch, searchMasks } from "../../../core/masks/maskSearch.ts";
import { createRecentCommands } from "../../../core/recentCommands/recentCommands.ts";
import { allMasks } from "../../../core/rules/model/rulePlace.ts";
import { createRandomMask } from "../../features/masks/createRandomMask.ts";
import { listDialogs } from "../../features/masks/listDialogs.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import type { Route } from "../../navigation/route.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { useAction } from "../../react/useAction.ts";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { CopyIcon } from "../../ui/icons/CopyIcon.tsx";
import { KeyboardIcon } from "../../ui/icons/KeyboardIcon.tsx";
import { LogoutIcon } from "../../ui/icons/LogoutIcon.tsx";
import { MoonIcon } from "../../ui/icons/MoonIcon.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { SearchIcon } from "../../ui/icons/SearchIcon.tsx";
import { SelectIcon } from "../../ui/icons/SelectIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { SunIcon } from "../../ui/icons/SunIcon.tsx";
import { TagIcon } from "../../ui/icons/TagIcon.tsx";
import { listScreens } from "../routes/screens.ts";
import { type SettingsEntry, settingsSections } from "../settings/settingsSections.ts";
import { type MaskVerb, questionOf, readVerbs, useMaskVerbs } from "./maskVerbs.tsx";
import { type Findable, rankOf } from "./rankOf.ts";
import { screenWords } from "./screenWords.ts";

/** Something that the palette offers. */
export interface Command extends Findable {
  readonly id: string;
  readonly icon: ReactNode;
  /** The text that tells it from others of the same name, such as a mask's address. */
  readonly detail?: string | undefined;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  /** What the field asks next, in place of running a command. */
  readonly question?: string;
  /** True for one that is soon gone, and not remembered as run. */
  readonly isPassing?: true;
  readonly run: () => void;
}

/** Commands under a heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The id of the command that creates a mask of the name that was typed, because nothing else was found. */
export const createNamed = "create named";

/** The most commands of a group that are offered at once. */
const maxShown = 8;

const masksTitle = "Masks";
const codesTitle = "Codes";

/** How well masks fit: those that a question asks for, that follow a verb, that are found, and the lead of a name. */
const maskRanks = { question: 200, verb: 95, found: 40, lead: 5 };

const show = (path: readonly string[], params?: Readonly<Record<string, string>>) => (): void =>
  goTo(addressText(path, params));

const iconOf = ({ icon: Icon }: Route): ReactNode => Icon && <Icon />;

const screenCommand = (screen: Route): Command => ({
  id: `screen ${screen.title}`,
  label: screen.title,
  keywords: screenWords[screen.path.join("/")],
  icon: iconOf(screen),
  run: show(screen.path),
});

/** Lists the sections of the settings that are no screens, each followed by the cards that are shown there. */
const listSettings = (isShown: (card: SettingsEntry) => boolean): readonly Command[] =>
  settingsSections.flatMap(({ path, title: sectionTitle, isInMenu, cards }) => {
    const setting = (
      title: string,
      detail: string,
      at: readonly string[],
      keywords?: string | undefined,
    ): Command => ({
      id: at.join(" "),
      label: title,
      keywords,
      icon: <SettingsIcon />,
      detail,
      run: show(at),
    });
    return [
      ...(isInMenu ? [] : [setting(sectionTitle, "Settings", path)]),
      ...cards
        .filter(isShown)
        .flatMap(({ id, title, keywords }) =>
          title ? [setting(title, `Settings, ${sectionTitle}`, [...path, id], keywords)] : [],
        ),
    ];
  });

/** The codes that have just arrived, each to copy. */
const useCodeCommands = (): readonly Command[] => {
  const { masks } = useSignedIn();
  const codes = useFeature(createCodes);
  const copy = useAction(codes.copy);
  const { all } = useObservable(masks.view$);
  return useObservable(codes.codes$).flatMap((code) => {
    const mask = all.find(({ id }) => id === code.maskId);
    if (code.content?.code === undefined || !mask) return [];
    return {
      id: `code ${code.id}`,
      label: `Copy code ${code.content.code}`,
      detail: maskName(mask),
      keywords: `code, otp, one-time code, verification code, ${maskName(mask)}, ${code.content.sender}`,
      icon: <CopyIcon />,
      isPassing: true,
      run: () => void copy.run(code),
    };
  });
};

/** What the palette leaves to its owner, because it goes on when the palette has closed. */
export interface LaterCommands {
  readonly onHelp: () => void;
  readonly onLogOut: () => void;
  readonly onSearch: () => void;
  readonly onSelect: () => void;
}

const useActions = (
  verbs: readonly MaskVerb[],
  { onHelp, onLogOut, onSearch, onSelect }: LaterCommands,
): readonly Command[] => {
  const signedIn = useSignedIn();
  const { theme, choose } = useTheme();
  const { session } = useApp();
  const hasMasks = useObservable(signedIn.masks.view$).all.length > 0;
  const action = (
    label: string,
    icon: ReactNode,
    run: () => void,
    more: Pick<Command, "keys" | "keywords" | "question"> = {},
  ): Command => ({ id: label, label, icon, run, ...more });
  const [create, ...others] = listDialogs
    .filter(({ isInMenu }) => !isInMenu)
    .map(({ title, path, key, ...dialog }) =>
      action(title, iconOf({ title, path, ...dialog }), show(path), {
        keys: key,
        keywords: screenWords[path.join("/")],
      }),
    );
  const isDark = theme === "dark";
  return [
    ...(create ? [create] : []),
    action("Create a random mask", <PlusIcon />, () => void createRandomMask({ signedIn, session }), {
      keys: "r",
      keywords: "random",
    }),
    action("Create a rule", <RulesIcon />, show(["rules", allMasks, "new"]), {
      keywords: "new rule, add rule",
    }),
    ...(hasMasks ? verbs : []).map((verb) =>
      action(verb.label, verb.icon, () => {}, { keywords: verb.keywords, question: questionOf(verb) }),
    ),
    action("Search the masks", <SearchIcon />, onSearch, {
      keys: "/",
      keywords: "search, find",
    }),
    action("Select several masks", <SelectIcon />, onSelect, {
      keys: "s",
      keywords: "select, several, bulk, many",
    }),
    ...others,
    action("Keyboard shortcuts", <KeyboardIcon />, onHelp, {
      keys: "?",
      keywords: "help, keys, hotkeys, shortcuts, search syntax, guide, how to",
    }),
    action(
      isDark ? "Light theme" : "Dark theme",
      isDark ? <SunIcon /> : <MoonIcon />,
      () => choose(isDark ? "light" : "dark"),
      { keywords: "dark, dark mode, light, light mode, night, theme" },
    ),
    action("Log out", <LogoutIcon />, onLogOut, { keywords: "logout, sign out, log off, exit" }),
  ];
};

/** Names Enter on the mask that is first of all, because it runs that line. */
const nameEnter = (group: CommandGroup, place: number): CommandGroup => {
  const [first, ...others] = group.commands;
  return place === 0 && group.title === masksTitle && first
    ? { ...group, commands: [{ ...first, keys: "Enter" }, ...others] }
    : group;
};

/** Returns the masks that a text finds, those whose name it begins or is first. */
const findMasks = (all: readonly Mask[], text: string): readonly Mask[] => {
  const wanted = toSearchText(text.trim());
  const found = searchMasks(all, text);
  const first = new Set(found.filter((mask) => rankOf({ label: maskName(mask) }, wanted) >= 70));
  return [...first, ...found.filter((mask) => !first.has(mask))];
};

/** What a text finds under a heading, and how well the best of it fits. */
interface Ranked extends CommandGroup {
  readonly rank: number;
}

/** Returns the commands that fit a text, the best ones first. */
const rankCommands = (title: string, commands: readonly Command[], wanted: string): Ranked => {
  const found = commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, maxShown);
  return { title, commands: found.map(({ command }) => command), rank: found[0]?.rank ?? 0 };
};

const labelCommand = (label: string): Command => ({
  id: `label ${label}`,
  label,
  icon: <TagIcon />,
  run: show(["masks"], { search: labelSearch(label) }),
});

/** Creates a mask of the name that was typed. */
const namedCommand = (text: string): Command => {
  const name = text.trim().slice(0, maxDescriptionLength);
  return {
    id: createNamed,
    label: `Create mask “${name}”`,
    icon: <PlusIcon />,
    isPassing: true,
    run: show(["masks", "new"], { name }),
  };
};

type Verbs = ReturnType<typeof useMaskVerbs>;

/** Does something with a mask; without a verb, what Enter does with a mask that was found. */
const maskCommand = (verbs: Verbs, mask: Mask, verb: MaskVerb = verbs[0]): Command => ({
  id: `${verb.id} ${mask.id}`,
  label: verb.labelOf(mask),
  icon: verb.icon,
  detail: verb === verbs[0] ? `Copy ${mask.maskEmail}` : undefined,
  run: () => verb.run(mask),
});

/** All that the palette knows. */
interface Offered {
  readonly masks: readonly Mask[];
  readonly verbs: Verbs;
  readonly actions: readonly Command[];
  readonly places: readonly Command[];
  readonly settings: readonly Command[];
  readonly labels: readonly Command[];
  readonly codes: readonly Command[];
}

/** Returns what is offered before anything is typed: what was run last, actions and screens. */
const listUnasked = (
  { masks, verbs, actions, places, settings, labels, codes }: Offered,
  recentIds: readonly string[],
): readonly CommandGroup[] => {
  const known = [...actions, ...places, ...settings, ...labels];
  const find = (id: string): Command | undefined => {
    const verb = verbs.find((one) => id.startsWith(`${one.id} `));
    const mask = verb && masks.find((one) => id === `${verb.id} ${one.id}`);
    if (!mask) return known.find((command) => command.id === id);
    return verb.canBeDone(mask) ? maskCommand(verbs, mask, verb) : undefined;
  };
  const others = ({ id }: Command): boolean => !recentIds.includes(id);
  return [
    { title: codesTitle, commands: codes },
    { title: "Recent", commands: recentIds.flatMap((id) => find(id) ?? []) },
    { title: "Actions", commands: actions.filter(others) },
    { title: "Screens", commands: places.filter(others) },
  ];
};

/** Returns the masks that a text finds; below the one that fits best stands what can be done with it. */
const listMasks = ({ masks, verbs }: Offered, text: string): Ranked => {
  const found = findMasks(masks, text);
  const [best] = found;
  const offered = best ? verbs.filter((verb) => verb.isOffered && verb.canBeDone(best)) : [];
  const commands = found
    .slice(0, maxShown)
    .flatMap((mask) =>
      mask === best
        ? [maskCommand(verbs, mask), ...offered.map((verb) => maskCommand(verbs, mask, verb))]
        : [maskCommand(verbs, mask)],
    );
  const rank = best ? rankOf({ label: maskName(best) }, toSearchText(text.trim())) + maskRanks.lead : 0;
  return { title: masksTitle, commands, rank: best ? Math.max(maskRanks.found, rank) : 0 };
};

/** Returns the masks for which a text names a verb, by verb. */
const listAsked = ({ masks, verbs }: Offered, asked: ReturnType<typeof readVerbs>): readonly Ranked[] =>
  asked.map(({ verb, rest, isQuestion }) => ({
    title: verb.label,
    commands: (isQuestion || rest !== "" ? findMasks(masks, rest) : [])
      .filter((mask) => verb.canBeDone(mask))
      .slice(0, maxShown)
      .map((mask) => maskCommand(verbs, mask, verb)),
    rank: isQuestion ? maskRanks.question : maskRanks.verb,
  }));

/** Returns what fits a text, the group with the best one first; where nothing does, a mask of that name to create. */
const listFound = (offered: Offered, text: string): readonly CommandGroup[] => {
  const wanted = toSearchText(text.trim());
  const asked = readVerbs(offered.verbs, text);
  const found = [
    ...listAsked(offered, asked),
    rankCommands(codesTitle, offered.codes, wanted),
    rankCommands("Actions", offered.actions, wanted),
    rankCommands("Screens", offered.places, wanted),
    rankCommands("Settings", offered.settings, wanted),
    listMasks(offered, text),
    rankCommands("Labels", offered.labels, wanted),
  ].filter(({ commands }) => commands.length > 0);
  if (found.length === 0 && !asked.some(({ isQuestion }) => isQuestion))
    return [{ title: "Actions", commands: [namedCommand(text)] }];
  return found.sort((one, other) => other.rank - one.rank).map(nameEnter);
};

/**
 * Returns what the palette offers for a text, in groups: what was run last, actions and screens without one; otherwise those
 * that fit it, the group with the best one first. Below the mask that fits best stands what can be done with it, and
 * where nothing fits a mask of that name can be created. Running a command remembers it.
 */
export const useCommandList = (text: string, later: LaterCommands): readonly CommandGroup[] => {
  const { masks, account } = useSignedIn();
  const { configuration } = useApp();
  const { all } = useObservable(masks.view$);
  const isOperator = useObservable(account.account$)?.isOperator === true;
  const recent = useFeature(createRecentCommands);
  const recentIds = useObservable(recent.ids$);
  const verbs = useMaskVerbs();
  const offered: Offered = {
    masks: all,
    verbs,
    actions: useActions(verbs, later),
    places: listScreens(isOperator).map(screenCommand),
    settings: listSettings(({ needs }) => needs === undefined || configuration[needs] !== undefined),
    labels: labelsOf(all).map(labelCommand),
    codes: useCodeCommands(),
  };
  const remembered = (command: Command): Command => ({
    ...command,
    run: () => {
      if (!command.isPassing) recent.add(command.id);
      command.run();
    },
  });
  const isUnasked = toSearchText(text.trim()) === "";
  const groups = isUnasked ? listUnasked(offered, recentIds) : listFound(offered, text);
  return groups
    .filter(({ commands }) => commands.length > 0)
    .map(({ title, commands }) => ({ title, commands: commands.map(remembered) }));
};
