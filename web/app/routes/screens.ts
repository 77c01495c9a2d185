import { listDialogs } from "../../features/masks/listDialogs.ts";
import type { Route } from "../../navigation/route.ts";
import { settingsSections } from "../settings/settingsSections.ts";
import { pages, tabs } from "./routes.tsx";

const parts: readonly Route[] = [...settingsSections, ...listDialogs];

const screens: readonly Route[] = [...tabs, ...pages, ...parts.filter(({ isInMenu }) => isInMenu)];

/** Lists the screens that the menu and the palette offer, those of operators last and to them alone. */
export const listScreens = (isOperator: boolean): readonly Route[] => {
  const offered = screens.filter(({ icon }) => icon !== undefined);
  return [
    ...offered.filter(({ isForOperators }) => !isForOperators),
    ...offered.filter(({ isForOperators }) => isOperator && isForOperators),
  ];
};
