/** A link that signs in the user of an address once, which the server's operator hands on. */
export interface SignInLink {
  readonly email: string;
  readonly token: string;
}

/** Returns the address of the app that a link opens. Its fragment never reaches a server or its log. */
export const signInAddress = (publicUrl: string, { email, token }: SignInLink): string =>
  `${publicUrl}/login#sign-in=${token}/${encodeURIComponent(email)}`;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the link in the fragment of an address; null for another one. */
export const parseSignInLink = (fragment: string): SignInLink | null => {
  const [, token, email] = /^#sign-in=([\w-]+)\/([^/]+)$/.exec(fragment) ?? [];
  return token === undefined || email === undefined ? null : { token, email: decoded(email) };
};
