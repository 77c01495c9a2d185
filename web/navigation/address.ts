/**
 * The content of the page's address, such as `#masks/ID/edit?filter=active`. It stands in the fragment, which browsers never
 * send: neither the server nor a proxy sees which mask somebody looks at or what they search for.
 */
export interface Address {
  /** The tab or page, then what it shows and what is done with it. */
  readonly path: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns what the page's address names; an address without a fragment names nothing. */
export const readAddress = ({ location }: Pick<Window, "location">): Address => {
  const [path = "", ...query] = location.hash.slice(1).split("?");
  return {
    path: path.split("/").filter(Boolean).map(decode),
    params: Object.fromEntries(new URLSearchParams(query.join("?"))),
  };
};

/** True if the address names this tab or none; another tab may have been chosen a moment before this one is left. */
export const namesTab = (window: Pick<Window, "location">, tab: string): boolean =>
  [tab, undefined].includes(readAddress(window).path[0]);

/** Returns an address as the end of a URL; parameters without a value are left out. */
export const addressText = (
  path: readonly string[],
  params: Readonly<Record<string, string | undefined>> = {},
): string => {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString();
  return `#${path.map(encodeURIComponent).join("/")}${query && `?${query}`}`;
};

/** Names in the address of the present history entry what is shown; the entry stays the same. */
export const nameEntry = (address: string, state: object = {}): void =>
  window.history.replaceState({ ...(window.history.state as object | null), ...state }, "", address);
