/** A mail of a mailbox while it is read. */
export interface MailInMailbox {
  /** Bytes, as the server says; what comes may be longer or shorter. */
  readonly size: number;
  /** May be left early. */
  readonly content: AsyncIterable<Buffer>;
}

/** A mailbox at a provider, while it is open. Every function rejects with a `MailboxError`, and then the mailbox is closed. */
export interface OpenMailbox {
  /** Another number means that all mails have new UIDs. */
  readonly uidValidity: number;
  /** True if the mailbox remembers marks; otherwise whoever has opened it must. */
  readonly keepsMarks: boolean;
  /** Returns how many mails there are. */
  readonly count: () => number;
  /** Returns the UIDs, in ascending order, of the mails without a mark at these positions, the first of which is 1. */
  readonly list: (first: number, last: number) => Promise<readonly number[]>;
  /** Starts to read a mail; null when it is gone. The next call of anything must wait until its content is read or left. */
  readonly read: (uid: number) => Promise<MailInMailbox | null>;
  /** Marks mails, so that they are not listed again; nobody's "seen" changes. */
  readonly mark: (uids: readonly number[]) => Promise<void>;
  /** Deletes mails, or moves them to another folder. */
  readonly remove: (uids: readonly number[]) => Promise<void>;
  /** Resolves when mail has come since the last `list`, and after this time anyway. */
  readonly wait: (ms: number) => Promise<void>;
  readonly close: () => void;
}

/** What can be wrong with a mailbox. */
export type MailboxProblem =
  | "unreachable"
  | "no-tls"
  | "refused-login"
  | "no-token"
  | "no-folder"
  | "read-only"
  | "no-other-folder"
  | "not-removed"
  | "too-slow"
  | "too-much"
  | "wrong-answer"
  | "closed";

/** A sentence for the operator, and what helps. */
export const mailboxProblems: Readonly<
  Record<MailboxProblem, { readonly is: string; readonly advice: string }>
> = {
  unreachable: {
    is: "the server of the mailbox does not answer",
    advice: "Check host and port in IMAP_URL; most providers have imaps:// on port 993",
  },
  "no-tls": {
    is: "the server of the mailbox has no valid certificate or no TLS",
    advice: "Name the host as the provider does, with imaps://; without TLS no password is sent",
  },
  "refused-login": {
    is: "the server of the mailbox refuses user and password",
    advice:
      "Check the user in IMAP_URL and IMAP_PASSWORD; with two factors the provider wants a password for programs, or IMAP_TOKEN_COMMAND",
  },
  "no-token": {
    is: "IMAP_TOKEN_COMMAND has failed or printed nothing",
    advice: "Run the command as the user of the server; it prints an access token within 30 seconds",
  },
  "no-folder": {
    is: "the mailbox has no such folder",
    advice: "Name a folder that exists at the end of IMAP_URL, such as /INBOX",
  },
  "read-only": {
    is: "the mailbox can only be read",
    advice: "Let this user delete and mark mail in the folder; until then no mail is fetched",
  },
  "no-other-folder": {
    is: "the folder of IMAP_KEEP_IN cannot be created",
    advice: "Create the folder, or leave IMAP_KEEP_IN out to delete fetched mail",
  },
  "not-removed": {
    is: "the server of the mailbox does not delete or move fetched mail",
    advice: "Fetched mail stays and is not fetched again; see whether the mailbox is full",
  },
  "too-slow": {
    is: "the server of the mailbox takes too long to answer",
    advice: "The connection is closed and opened again later; if it stays so, ask the provider",
  },
  "too-much": {
    is: "the server of the mailbox sends more than was asked for",
    advice: "The connection is closed and opened again later; if it stays so, ask the provider",
  },
  "wrong-answer": {
    is: "the server of the mailbox gives answers that make no sense",
    advice: "The connection is closed and opened again later; if it stays so, ask the provider",
  },
  closed: {
    is: "the server of the mailbox has closed the connection",
    advice:
      "It is opened again by itself; another program with many connections to the mailbox may be the cause",
  },
};

/** The reason why a mailbox cannot be used at the moment. */
export class MailboxError extends Error {
  readonly problem: MailboxProblem;
  /** Its message names no address and nothing of a mail. */
  constructor(problem: MailboxProblem) {
    super(mailboxProblems[problem].is);
    this.problem = problem;
  }
}
