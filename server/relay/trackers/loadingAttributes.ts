/** Attributes whose address a browser loads and nobody sees as a picture, by element; "*" stands for each. */
const unseenAddresses: Readonly<Record<string, readonly string[]>> = {
  a: ["ping"],
  applet: ["archive", "code", "codebase"],
  area: ["ping"],
  audio: ["src"],
  bgsound: ["src"],
  embed: ["src"],
  frame: ["src"],
  html: ["manifest"],
  iframe: ["src", "srcdoc"],
  link: ["href", "imagesrcset"],
  object: ["archive", "classid", "codebase", "data"],
  script: ["src"],
  track: ["src"],
};

/** Attributes whose address is seen where their element has a size. */
const decorations: Readonly<Record<string, readonly string[]>> = {
  "*": ["background"],
  video: ["poster", "src"],
};

/**
 * Returns the kind of what an attribute loads: what nobody sees, or what is seen in an element with a size; null for nothing.
 */
export const kindOfLoad = (element: string, attribute: string): "unseen" | "decoration" | null => {
  if (Object.hasOwn(unseenAddresses, element) && unseenAddresses[element]?.includes(attribute))
    return "unseen";
  return [decorations["*"], Object.hasOwn(decorations, element) ? decorations[element] : []].some((names) =>
    names?.includes(attribute),
  )
    ? "decoration"
    : null;
};

const names = new Set([...Object.values(unseenAddresses), ...Object.values(decorations)].flat());

/** True if an attribute of this name loads something in an element. */
export const isLoading = (name: string): boolean => names.has(name) || name === "href" || name === "content";
