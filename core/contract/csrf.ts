/** Carries the anti-forgery token, in requests and in answers (RQ2). */
export const csrfHeader = "x-csrf-token";

/** The cookie that scripts may read and that holds the same token. */
export const csrfCookie = "csrfToken";

const exempt = ["/login", "/auth", "/logout", "/refresh-token", "/csrf-token", "/ws"];

/** The path of a root-relative address, without its query. */
const pathIn = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";

/** Whether this belongs to signing in and out: no anti-forgery token, and a 401 there ends no session (RQ2). */
export const isAuthenticationPath = (url: string): boolean => {
  const path = pathIn(url);
  return exempt.some((root) => path === root || path.startsWith(`${root}/`));
};
