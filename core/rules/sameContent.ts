const isObject = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === "object" && u !== null;

const hasAll = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(a).every((key) => sameContent(a[key], b[key]));

/** Whether two pieces of JSON say the same; what is undefined is not there, and the order of keys means nothing. */
export const sameContent = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  return hasAll(a, b) && hasAll(b, a);
};
