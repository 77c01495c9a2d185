import { hostNameIn } from "../../core/masks/madeFor.ts";

/** Where the system posts a page that is shared with the app, as its manifest says, below the address of the app. No request of it reaches a server. */
export const sharePath = "share";

const webAddress = /https?:\/\/[^\s"'<>]+/i;

/** Returns the host name of the page that was shared; null where none is named. */
const sharedSite = (shared: FormData): string | null => {
  for (const field of ["url", "text", "title"]) {
    const value = shared.get(field);
    const [address] = (typeof value === "string" && webAddress.exec(value)) || [];
    const host = address === undefined ? null : hostNameIn(address);
    if (host !== null) return host;
  }
  return null;
};

/** Returns the place in the app for a page that was shared: the form of a new mask, with the site filled in. */
export const sharedPlace = async (request: Pick<Request, "formData">): Promise<string> => {
  const site = await request.formData().then(sharedSite, () => null);
  const query = site === null ? "" : `?${new URLSearchParams({ name: site.replace(/^www\./, ""), site })}`;
  return `./#masks/new${query}`;
};
