import { toStorableAnswer } from "../../../delivery/smtpAnswer.ts";

/** Returns a stranger's text as an operator may see it: one line of at most `length` characters, without addresses. */
export const shownText = (text: string, length: number): string =>
  toStorableAnswer(text.slice(0, 1_000)).slice(0, length).trim();
