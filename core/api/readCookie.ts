/** Returns the decoded value of a cookie in a list such as that of `document.cookie`; null where there is none. */
export const readCookie = (cookies: string, name: string): string | null => {
  const found = cookies.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) return null;
  const value = found.slice(name.length + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};
