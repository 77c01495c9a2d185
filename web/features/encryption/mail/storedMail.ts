/** Returns the bytes of a stored mail that came in base 64. */
export const decodeStoredMail = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
