import { csrfCookie, csrfHeader } from "../../core/api/csrfNames.ts";
import { readCookie } from "../../core/api/readCookie.ts";
import { firstMasksUrl } from "../../core/masks/maskQuery.ts";

/** The list of masks, requested with this token while the scripts of the page are loading. */
interface EarlyList {
  readonly url: string;
  readonly token: string;
  readonly response: Promise<Response>;
}

declare global {
  interface Window {
    earlyList?: EarlyList | undefined;
  }
}

const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/**
 * Requests the list of masks before the app runs, with the headers of every request; `path` is that of the page, `read` reads the
 * stored values. A
 * failure is handled where the app requests the list.
 */
export const requestListEarly = (
  window: Window,
  path: string,
  token: string,
  read: (name: string) => string | null,
): void => {
  const csrfToken = readCookie(window.document.cookie, csrfCookie) ?? read(csrfCookie);
  const url = path + firstMasksUrl;
  const response = fetch(url, {
    headers: {
      accept: "application/json",
      authorization: `Bearer ${token}`,
      "x-request-id": randomHex(),
      ...(csrfToken === null ? {} : { [csrfHeader]: csrfToken }),
    },
    credentials: "include",
  });
  response.catch(() => undefined);
  window.earlyList = { url, token, response };
};

/** Returns the early list for the first request of this address, with the same token; undefined for all others. */
export const takeEarlyList = (window: Window, url: string, token: string): Promise<Response> | undefined => {
  const early = window.earlyList;
  if (early?.url !== url) return undefined;
  window.earlyList = undefined;
  return early.token === token ? early.response : undefined;
};
