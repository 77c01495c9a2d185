import { firstMasksUrl } from "../../core/masks/maskQuery.ts";

/** The list of masks, requested with this token while the scripts of the page are loading. */
interface EarlyList {
  readonly token: string;
  readonly response: Promise<Response>;
}

declare global {
  interface Window {
    earlyList?: EarlyList | undefined;
  }
}

/** Requests the list of masks before the app runs. A failure is handled where the app requests the list. */
export const requestListEarly = (window: Window, token: string): void => {
  const response = fetch(firstMasksUrl, {
    headers: { accept: "application/json", authorization: `Bearer ${token}` },
    credentials: "include",
  });
  response.catch(() => undefined);
  window.earlyList = { token, response };
};

/** Returns the early list for the first request of this address, with the same token; undefined for all others. */
export const takeEarlyList = (window: Window, url: string, token: string): Promise<Response> | undefined => {
  const early = window.earlyList;
  if (early === undefined || url !== firstMasksUrl) return undefined;
  window.earlyList = undefined;
  return early.token === token ? early.response : undefined;
};
