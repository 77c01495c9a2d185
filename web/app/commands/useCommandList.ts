import { toSearchText } from "../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../core/labels/label.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { labelSearch, searchMasks } from "../../../core/masks/maskSearch.ts";
import { createRandomMask } from "../../features/masks/createRandomMask.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { type SettingsSection, settingsSections } from "../settings/settingsSections.ts";

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly run: () => void;
}

/** The most masks and the most labels that are offered at once. */
const maxMasks = 8;
const maxLabels = 5;

const show = (path: readonly string[], params?: Readonly<Record<string, string>>) => (): void =>
  goTo(addressText(path, params));

const screens: readonly Command[] = [
  ["Masks", ["masks"]],
  ["Rules", ["rules"]],
  ["Insights", ["insights"]],
  ["Settings", ["settings"]],
  ["Domains", ["settings", "domains"]],
  ["Account", ["account"]],
  ["Held mail", ["held"]],
  ["Log", ["log"]],
  ["Deleted masks", ["masks", "deleted"]],
].map(([label, path]) => ({
  id: `screen ${String(label)}`,
  label: String(label),
  detail: "Screen",
  run: show(path as readonly string[]),
}));

const isScreen = ({ title }: SettingsSection): boolean => screens.some(({ label }) => label === title);

/** The sections of the settings that no screen leads to, each followed by its cards. */
const settings: readonly Command[] = settingsSections.flatMap((section) => {
  const path = ["settings", section.id];
  return [
    ...(isScreen(section)
      ? []
      : [{ id: path.join(" "), label: section.title, detail: "Settings", run: show(path) }]),
    ...section.cards.map(({ id, title }) => ({
      id: [...path, id].join(" "),
      label: title,
      detail: `Settings, ${section.title}`,
      run: show([...path, id]),
    })),
  ];
});

/** Returns what the palette offers for a text: actions and screens first, then the masks and labels that match it. */
export const useCommandList = (text: string, onHelp: () => void): readonly Command[] => {
  const { masks, account } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const { theme, choose } = useTheme();
  const { session } = useApp();
  const action = (label: string, run: () => void): Command => ({ id: label, label, detail: "Action", run });
  const actions = [
    action("Create a mask", show(["masks", "new"])),
    action("Create a random mask", () => createRandomMask({ masks, account, session })),
    action("Sort and view", show(["masks", "view"])),
    action("Manage labels", show(["masks", "labels"])),
    action("Show the keys", onHelp),
    action(theme === "dark" ? "Light theme" : "Dark theme", () =>
      choose(theme === "dark" ? "light" : "dark"),
    ),
  ];
  const wanted = toSearchText(text.trim());
  const fitting = [...actions, ...screens].filter(({ label }) => toSearchText(label).includes(wanted));
  if (wanted === "") return fitting;
  const fittingSettings = settings.filter(({ label }) => toSearchText(label).includes(wanted));
  const labels = labelsOf(all).filter((label) => toSearchText(label).includes(wanted));
  return [
    ...fitting,
    ...fittingSettings,
    ...searchMasks(all, text)
      .slice(0, maxMasks)
      .map((mask) => ({
        id: `mask ${mask.id}`,
        label: maskName(mask),
        detail: mask.maskEmail,
        run: show(["masks", mask.id]),
      })),
    ...labels.slice(0, maxLabels).map((label) => ({
      id: `label ${label}`,
      label,
      detail: "Label",
      run: show(["masks"], { search: labelSearch(label) }),
    })),
  ];
};
