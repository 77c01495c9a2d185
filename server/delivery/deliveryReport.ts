/** A report that a mail was not delivered, and will not be. */
export interface FailureReport {
  /** What the server that refused it had answered; empty where the report does not say. */
  readonly answer: string;
}

/** Reports say it near their beginning; what follows is the mail they are about. */
const looksAt = 256 * 1024;

const partOf = (text: string): string | null => {
  const began = /^content-type:[ \t]*message\/(?:global-)?delivery-status\b/im.exec(text);
  return began && (text.slice(began.index).split(/\n--/, 1)[0] ?? "");
};

/**
 * Reads a delivery status notification (RFC 3464). null for what reports no failure: a delay, a success, a holiday
 * greeting, any other mail.
 */
export const readFailureReport = (content: Uint8Array): FailureReport | null => {
  const text = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, looksAt)).toString(
    "latin1",
  );
  const part = partOf(text);
  if (part === null || !/^action:[ \t]*failed[ \t]*\r?$/im.test(part)) return null;
  const [, answer = ""] = /^diagnostic-code:[ \t]*smtp[ \t]*;[ \t]*([^\r\n]+)/im.exec(part) ?? [];
  return { answer };
};
