import { act as rtlAct, screen, within } from "@testing-library/react";
import { type OpenPage, openMasks } from "./openPage.tsx";
import { tabLink } from "./tabLink.ts";

/** Opens the signed-in page with one of its tabs selected; returns it with that tab's panel. */
export const openTab = async (tab: string, options: Parameters<typeof openMasks>[0] = {}) => {
  const page = await openMasks(options);
  await page.user.click(tabLink(tab));
  await page.act(() => {});
  return { ...page, panel: within(await screen.findByRole("main", { name: tab })) };
};

/** Opens a section of the settings by its link, from a page that is open. */
export const openSection = async (
  { user, act }: Pick<OpenPage, "user" | "act">,
  section: string,
): Promise<void> => {
  await screen.findByRole("navigation", { name: "Main" });
  if (screen.queryByRole("navigation", { name: "Settings sections" }) === null)
    await user.click(tabLink("Settings"));
  const sections = within(await screen.findByRole("navigation", { name: "Settings sections" }));
  await rtlAct(async () => {
    const shown = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    await user.click(sections.getByRole("link", { name: section }));
    await shown;
  });
  await sections.findByRole("link", { name: section, current: "page" });
  await act(() => {});
};

/** Opens the signed-in page with a section of the settings shown; returns it with the panel of the settings. */
export const openSettings = async (section: string, options: Parameters<typeof openMasks>[0] = {}) => {
  const page = await openTab("Settings", options);
  await openSection(page, section);
  return page;
};
