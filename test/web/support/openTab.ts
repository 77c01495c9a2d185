import { screen, within } from "@testing-library/react";
import { openMasks } from "./openPage.tsx";
import { tabLink } from "./tabLink.ts";

/** Opens the signed-in page with one of its tabs selected; returns it with that tab's panel. */
export const openTab = async (tab: string, options: Parameters<typeof openMasks>[0] = {}) => {
  const page = await openMasks(options);
  await page.user.click(tabLink(tab));
  await page.act(() => {});
  return { ...page, panel: within(await screen.findByRole("main", { name: tab })) };
};
