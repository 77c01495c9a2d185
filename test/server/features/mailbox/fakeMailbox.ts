import {
  MailboxError,
  type MailboxProblem,
  type OpenMailbox,
} from "../../../../server/features/mailbox/mailbox.ts";

/** What a session asks a mailbox. */
export type Call = "open" | "list" | "read" | "mark" | "remove" | "wait";

interface FakeMail {
  readonly uid: number;
  readonly content: Buffer;
  isMarked: boolean;
}

/** The mailbox of a provider in memory, which sessions open. */
export interface FakeMailbox {
  readonly open: () => Promise<OpenMailbox>;
  /** Puts a mail in. */
  readonly deliver: (content: string | Buffer) => Promise<number>;
  /** Deletes a mail, as another program would. */
  readonly expunge: (uid: number) => Promise<void>;
  /** Numbers all mails anew. */
  readonly renumber: () => Promise<void>;
  readonly uids: () => readonly number[];
  readonly marked: () => readonly number[];
  /** The contents of mails that were removed. */
  readonly removed: () => readonly Buffer[];
  /** Called before and after each call that changes or reads something; may throw. */
  onCall: (call: Call, when: "before" | "after", uid?: number) => void;
  /** Ends the sessions that are open, as a server that is restarted does. */
  readonly dropSessions: () => void;
}

export interface FakeMailboxOptions {
  readonly keepsMarks?: boolean;
  /** The bytes in which a mail comes. */
  readonly pieceBytes?: number;
  /** Resolves after a time; nobody waits without it. */
  readonly pass?: (ms: number) => Promise<void>;
}

/** Creates an empty mailbox. */
export const createFakeMailbox = ({
  keepsMarks = true,
  pieceBytes = 64 * 1024,
  pass = async () => {},
}: FakeMailboxOptions = {}): FakeMailbox => {
  let mails: FakeMail[] = [];
  let uidValidity = 1;
  let nextUid = 1;
  const removed: Buffer[] = [];
  const sessions = new Set<{ fail: (problem: MailboxProblem) => void }>();
  const arrivals = new Set<() => void>();

  const fake: FakeMailbox = {
    deliver: async (content) => {
      const uid = nextUid;
      nextUid += 1;
      mails.push({ uid, content: Buffer.from(content), isMarked: false });
      for (const wake of arrivals) wake();
      return uid;
    },
    expunge: async (uid) => {
      mails = mails.filter((mail) => mail.uid !== uid);
    },
    renumber: async () => {
      uidValidity += 1;
      mails = mails.map((mail, n) => ({ ...mail, uid: n + 1, isMarked: mail.isMarked }));
      nextUid = mails.length + 1;
    },
    uids: () => mails.map(({ uid }) => uid),
    marked: () => mails.filter(({ isMarked }) => isMarked).map(({ uid }) => uid),
    removed: () => removed,
    onCall: () => {},
    dropSessions: () => {
      for (const session of sessions) session.fail("closed");
    },
    open: async () => {
      let failure: MailboxProblem | null = null;
      let wake = (): void => {};
      let hasCome = false;
      const session = {
        fail: (problem: MailboxProblem) => {
          failure = problem;
          wake();
        },
      };
      const arrived = (): void => {
        hasCome = true;
        wake();
      };
      const call = async <A>(name: Call, work: () => A | Promise<A>, uid?: number): Promise<A> => {
        if (failure) throw new MailboxError(failure);
        fake.onCall(name, "before", uid);
        const result = await work();
        fake.onCall(name, "after", uid);
        return result;
      };
      const without = (uids: readonly number[]) => (mail: FakeMail) => !uids.includes(mail.uid);
      return call("open", () => {
        sessions.add(session);
        arrivals.add(arrived);
        return {
          uidValidity,
          keepsMarks,
          count: () => mails.length,
          list: (first, last) =>
            call("list", () => {
              hasCome = false;
              const listed = mails.slice(first - 1, last).filter(({ isMarked }) => !isMarked);
              return listed.map(({ uid }) => uid);
            }),
          read: (uid) =>
            call(
              "read",
              () => {
                const mail = mails.find((one) => one.uid === uid);
                if (!mail) return null;
                const { content } = mail;
                return {
                  size: content.length,
                  content: (async function* () {
                    for (let at = 0; at < content.length; at += pieceBytes) {
                      if (failure) throw new MailboxError(failure);
                      yield content.subarray(at, at + pieceBytes);
                    }
                  })(),
                };
              },
              uid,
            ),
          mark: (uids) =>
            call("mark", () => {
              for (const mail of mails) if (keepsMarks && uids.includes(mail.uid)) mail.isMarked = true;
            }),
          remove: (uids) =>
            call("remove", () => {
              removed.push(...mails.filter((mail) => uids.includes(mail.uid)).map(({ content }) => content));
              mails = mails.filter(without(uids));
            }),
          wait: (ms) =>
            call("wait", async () => {
              if (!hasCome) {
                const woken = new Promise<void>((resolve) => {
                  wake = resolve;
                });
                await Promise.race([woken, pass(ms)]);
              }
              if (failure) throw new MailboxError(failure);
            }),
          close: () => {
            sessions.delete(session);
            arrivals.delete(arrived);
            session.fail("closed");
          },
        };
      });
    },
  };
  return fake;
};
