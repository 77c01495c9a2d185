/** A moment, in milliseconds since 1970, as mail writes it (RFC 5322, 3.3). */
export const mailDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");
