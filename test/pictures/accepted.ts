import { join } from "node:path";
import type { PictureScreen } from "./openView.ts";
import { type View, views } from "./views.ts";

/** A view on a screen, whose accepted picture stands in the repository. */
export interface AcceptedPicture {
  readonly file: string;
  readonly view: View;
  readonly screen: PictureScreen;
}

export const acceptedFolder = join(import.meta.dirname, "accepted");

const wide = { width: 1280, height: 800 } as const;
const narrow = { width: 360, height: 740 } as const;
/** What lies between, and beyond. */
const tablet = { width: 768, height: 800 } as const;
const largeTablet = { width: 820, height: 800 } as const;
const smallLaptop = { width: 1024, height: 800 } as const;
const desktop = { width: 1600, height: 800 } as const;

const chosen: readonly (readonly [
  view: string,
  theme: "light" | "dark",
  size: Pick<PictureScreen, "width" | "height">,
])[] = [
  ["sign-in: address", "light", wide],
  ["sign-in: address", "dark", narrow],
  ["masks: cards", "light", wide],
  ["masks: cards", "dark", narrow],
  ["masks: rows", "dark", wide],
  ["masks: rows", "light", narrow],
  ["masks: rows", "light", tablet],
  ["masks: cards", "dark", largeTablet],
  ["masks: rows", "dark", smallLaptop],
  ["masks: rows", "light", desktop],
  ["masks: edit", "light", narrow],
  ["insights", "light", wide],
  ["rules: new", "dark", wide],
  ["settings", "light", narrow],
  ["settings: mail", "dark", wide],
  ["keys", "light", wide],
];

export const pictureName = (view: View, { theme, width }: Pick<PictureScreen, "theme" | "width">): string =>
  `${view.name.replace(/\W+/g, "-")}-${width}-${theme}.png`;

/** The pictures that the tests compare, a few of all views. */
export const acceptedPictures: readonly AcceptedPicture[] = chosen.map(([name, theme, size]) => {
  const view = views.find((one) => one.name === name);
  if (view === undefined) throw new Error(`No view is named ${name}`);
  const screen = { theme, ...size };
  return { file: pictureName(view, screen), view, screen };
});
