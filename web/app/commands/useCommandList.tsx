import type { ReactNode } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../core/labels/label.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { labelSearch, searchMasks } from "../../../core/masks/maskSearch.ts";
import { createRecentCommands } from "../../../core/recentCommands/recentCommands.ts";
import { createRandomMask } from "../../features/masks/createRandomMask.ts";
import { listDialogs } from "../../features/masks/listDialogs.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import type { Route } from "../../navigation/route.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { KeyboardIcon } from "../../ui/icons/KeyboardIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MoonIcon } from "../../ui/icons/MoonIcon.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { SunIcon } from "../../ui/icons/SunIcon.tsx";
import { TagIcon } from "../../ui/icons/TagIcon.tsx";
import { listScreens } from "../routes/screens.ts";
import { type SettingsEntry, settingsSections } from "../settings/settingsSections.ts";

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

const iconOf = ({ icon: Icon }: Route): ReactNode => Icon && <Icon />;

const screenCommand = (screen: Route): Command => ({
  id: `screen ${screen.title}`,
  label: screen.title,
  icon: iconOf(screen),
  run: show(screen.path),
});

/** Lists the sections of the settings that are no screens, each followed by the cards that are shown there. */
const listSettings = (isShown: (card: SettingsEntry) => boolean): readonly Command[] =>
  settingsSections.flatMap(({ path, title: sectionTitle, isInMenu, cards }) => {
    const setting = (title: string, detail: string, at: readonly string[]): Command => ({
      id: at.join(" "),
      label: title,
      icon: <SettingsIcon />,
      detail,
      run: show(at),
    });
    return [
      ...(isInMenu ? [] : [setting(sectionTitle, "Settings", path)]),
      ...cards
        .filter(isShown)
        .flatMap(({ id, title }) =>
          title ? [setting(title, `Settings, ${sectionTitle}`, [...path, id])] : [],
        ),
    ];
  });

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
  const [create, ...others] = listDialogs
    .filter(({ isInMenu }) => !isInMenu)
    .map((dialog) => action(dialog.title, iconOf(dialog), show(dialog.path), dialog.key));
  return [
    ...(create ? [create] : []),
    action("Create a random mask", <PlusIcon />, () => void createRandomMask({ signedIn, session }), "r"),
    ...others,
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
  const places = listScreens(isOperator).map(screenCommand);
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
