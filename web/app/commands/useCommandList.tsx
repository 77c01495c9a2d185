import type { ReactNode } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../core/labels/label.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { labelSearch, searchMasks } from "../../../core/masks/maskSearch.ts";
import { createRecentCommands } from "../../../core/recentCommands/recentCommands.ts";
import { createRandomMask } from "../../features/masks/createRandomMask.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { AccountIcon } from "../../ui/icons/AccountIcon.tsx";
import { ClockIcon } from "../../ui/icons/ClockIcon.tsx";
import { GlobeIcon } from "../../ui/icons/GlobeIcon.tsx";
import { InboxIcon } from "../../ui/icons/InboxIcon.tsx";
import { InsightsIcon } from "../../ui/icons/InsightsIcon.tsx";
import { KeyboardIcon } from "../../ui/icons/KeyboardIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MoonIcon } from "../../ui/icons/MoonIcon.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { ServerIcon } from "../../ui/icons/ServerIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { SunIcon } from "../../ui/icons/SunIcon.tsx";
import { TagIcon } from "../../ui/icons/TagIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";
import { type SettingsCard, type SettingsSection, settingsSections } from "../settings/settingsSections.ts";

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The text that tells it from others of the same name, such as a mask's address. */
  readonly detail?: string | undefined;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Commands under a heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The most masks and the most labels that are offered at once. */
const maxMasks = 8;
const maxLabels = 5;

const show = (path: readonly string[], params?: Readonly<Record<string, string>>) => (): void =>
  goTo(addressText(path, params));

const screen = (label: string, icon: ReactNode, ...path: readonly string[]): Command => ({
  id: `screen ${label}`,
  label,
  icon,
  run: show(path),
});

const screens: readonly Command[] = [
  screen("Masks", <MailIcon />, "masks"),
  screen("Rules", <RulesIcon />, "rules"),
  screen("Insights", <InsightsIcon />, "insights"),
  screen("Settings", <SettingsIcon />, "settings"),
  screen("Account", <AccountIcon />, "account"),
  screen("Held mail", <InboxIcon />, "held"),
  screen("Mail in the app", <MailIcon />, "mailbox"),
  screen("Log", <ClockIcon />, "log"),
  screen("Developers", <KeyboardIcon />, "developers"),
  screen("Domains", <GlobeIcon />, "settings", "domains"),
  screen("Deleted masks", <TrashIcon />, "masks", "deleted"),
];

const isScreen = ({ title }: SettingsSection): boolean => screens.some(({ label }) => label === title);

/** Lists the sections of the settings that no screen leads to, each followed by the cards that are shown there. */
const listSettings = (isShown: (card: SettingsCard) => boolean): readonly Command[] =>
  settingsSections.flatMap((section) => {
    const path = ["settings", section.id];
    const setting = (label: string, detail: string, ...at: readonly string[]): Command => ({
      id: at.join(" "),
      label,
      icon: <SettingsIcon />,
      detail,
      run: show(at),
    });
    return [
      ...(isScreen(section) ? [] : [setting(section.title, "Settings", ...path)]),
      ...section.cards
        .filter(isShown)
        .map(({ id, title }) => setting(title, `Settings, ${section.title}`, ...path, id)),
    ];
  });

const operatorScreen = screen("Operator", <ServerIcon />, "account", "operator");

const useActions = (onHelp: () => void): readonly Command[] => {
  const signedIn = useSignedIn();
  const { theme, choose } = useTheme();
  const { session } = useApp();
  const action = (label: string, icon: ReactNode, run: () => void, keys?: string): Command => ({
    id: label,
    label,
    icon,
    keys,
    run,
  });
  return [
    action("Create a mask", <PlusIcon />, show(["masks", "new"]), "n"),
    action("Create a random mask", <PlusIcon />, () => void createRandomMask({ signedIn, session }), "r"),
    action("Sort and view", <SettingsIcon />, show(["masks", "view"]), "v"),
    action("Manage labels", <TagIcon />, show(["masks", "labels"])),
    action("Show the keys", <KeyboardIcon />, onHelp, "?"),
    theme === "dark"
      ? action("Light theme", <SunIcon />, () => choose("light"))
      : action("Dark theme", <MoonIcon />, () => choose("dark")),
  ];
};

/**
 * Returns what the palette offers for a text, in groups: what was run last, actions and screens without one; otherwise those
 * that match it, then masks and labels. Running a command remembers it.
 */
export const useCommandList = (text: string, onHelp: () => void): readonly CommandGroup[] => {
  const { masks, account } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const isOperator = useObservable(account.account$)?.isOperator === true;
  const recent = useFeature(createRecentCommands);
  const recentIds = useObservable(recent.ids$);
  const actions = useActions(onHelp);
  const { configuration } = useApp();
  const settings = listSettings(({ needs }) => needs === undefined || configuration[needs] !== undefined);
  const places = isOperator ? [...screens, operatorScreen] : screens;
  const wanted = toSearchText(text.trim());
  const fits = ({ label }: Command): boolean => toSearchText(label).includes(wanted);
  const remembered = (command: Command): Command => ({
    ...command,
    run: () => {
      recent.add(command.id);
      command.run();
    },
  });
  const groups = (...list: readonly CommandGroup[]): readonly CommandGroup[] =>
    list
      .filter(({ commands }) => commands.length > 0)
      .map(({ title, commands }) => ({ title, commands: commands.map(remembered) }));
  const maskCommand = (mask: (typeof all)[number]): Command => ({
    id: `mask ${mask.id}`,
    label: maskName(mask),
    icon: <MailIcon />,
    detail: mask.maskEmail,
    run: show(["masks", mask.id]),
  });
  const labelCommand = (label: string): Command => ({
    id: `label ${label}`,
    label,
    icon: <TagIcon />,
    run: show(["masks"], { search: labelSearch(label) }),
  });
  const labels = labelsOf(all);
  if (wanted === "") {
    const known = [...actions, ...places, ...settings, ...all.map(maskCommand), ...labels.map(labelCommand)];
    const last = recentIds.flatMap((id) => known.find((command) => command.id === id) ?? []);
    const others = ({ id }: Command): boolean => !recentIds.includes(id);
    return groups(
      { title: "Recent", commands: last },
      { title: "Actions", commands: actions.filter(others) },
      { title: "Screens", commands: places.filter(others) },
    );
  }
  return groups(
    { title: "Actions", commands: actions.filter(fits) },
    { title: "Screens", commands: places.filter(fits) },
    { title: "Settings", commands: settings.filter(fits) },
    { title: "Masks", commands: searchMasks(all, text).slice(0, maxMasks).map(maskCommand) },
    {
      title: "Labels",
      commands: labels
        .filter((label) => toSearchText(label).includes(wanted))
        .slice(0, maxLabels)
        .map(labelCommand),
    },
  );
};
