/** The header that carries the CSRF token in requests and responses. */
export const csrfHeader = "x-csrf-token";

/** The cookie with the same token, which scripts may read, and the key of the token in the browser's storage. */
export const csrfCookie = "csrfToken";
