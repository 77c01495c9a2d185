import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SignJWT } from "jose";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { openImapMailbox } from "../../../../server/features/mailbox/imapMailbox.ts";
import type { MailInMailbox, OpenMailbox } from "../../../../server/features/mailbox/mailbox.ts";
import type { MailboxSettings } from "../../../../server/platform/config/config.ts";
import { named } from "../../../support/domainNames.ts";
import { type Cyrus, requireCyrus, startCyrus } from "../../support/cyrus.ts";
import { type Dovecot, requireDovecot, startDovecot } from "../../support/dovecot.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { createFakeMailbox } from "./fakeMailbox.ts";

const maskDomain = named("masks.example");

/** A mailbox and the other programs that use it. */
interface Provider {
  readonly open: () => Promise<OpenMailbox>;
  readonly deliver: (content: string | Buffer) => Promise<unknown>;
  readonly expunge: (uid: number) => Promise<void>;
  readonly renumber: () => Promise<void>;
}

const mail = "Delivered-To: shop@masks.example\r\nSubject: Hello\r\n\r\nHello\r\n";

const contentOf = async (read: MailInMailbox | null): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of read?.content ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const keepsContract = (provider: () => Provider): void => {
  let mailbox: OpenMailbox | undefined;
  const deliver = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await provider().deliver(mail);
  };
  const opened = async (): Promise<OpenMailbox> => {
    mailbox = await provider().open();
    return mailbox;
  };
  afterEach(() => mailbox?.close());

  it("lists mail by position, in the order in which it has come", async () => {
    await deliver(3);
    const { count, list } = await opened();
    expect(count()).to.equal(3);
    expect(await list(1, 3)).to.deep.equal([1, 2, 3]);
    expect(await list(2, 2)).to.deep.equal([2]);
  });

  it("reads a mail as it came, also a large one, and says how large it is", async () => {
    const large = `${mail}${`${"x".repeat(76)}\r\n`.repeat(4_000)}`;
    await provider().deliver(mail);
    await provider().deliver(large);
    const { read } = await opened();
    expect(await contentOf(await read(1))).to.equal(mail);
    const second = await read(2);
    expect(second?.size).to.equal(large.length);
    expect(await contentOf(second)).to.equal(large);
  });

  it("can leave a mail before its end and read another one", async () => {
    await provider().deliver(`${mail}${`${"x".repeat(76)}\r\n`.repeat(4_000)}`);
    await deliver(1);
    const { read } = await opened();
    for await (const piece of (await read(1))?.content ?? []) {
      expect(piece.length).to.be.greaterThan(0);
      break;
    }
    expect(await contentOf(await read(2))).to.equal(mail);
  });

  it("has nothing to read of a mail that is gone, or all of it", async () => {
    await deliver(2);
    const { read } = await opened();
    await provider().expunge(1);
    expect(await contentOf(await read(1))).to.be.oneOf(["", mail]);
    expect(await read(99)).to.equal(null);
    expect(await contentOf(await read(2))).to.equal(mail);
  });

  it("does not list a marked mail, in a later session neither", async () => {
    await deliver(3);
    const { mark, list, keepsMarks, close } = await opened();
    expect(keepsMarks).to.equal(true);
    await mark([1, 3]);
    expect(await list(1, 3)).to.deep.equal([2]);
    close();
    const later = await opened();
    expect(await later.list(1, 3)).to.deep.equal([2]);
    expect(later.count()).to.equal(3);
  });

  it("has fewer mails after some are removed, and those of others keep their UIDs", async () => {
    await deliver(4);
    const { remove, list, count } = await opened();
    await remove([1, 3]);
    expect(count()).to.equal(2);
    expect(await list(1, 2)).to.deep.equal([2, 4]);
  });

  it("says when mail has come, also before it was asked", async () => {
    const { wait, list, count } = await opened();
    const waiting = wait(60_000);
    await deliver(1);
    await waiting;
    expect(await list(1, count())).to.deep.equal([1]);
  });

  it("names another validity when UIDs mean other mails", async () => {
    await deliver(2);
    const first = await opened();
    first.close();
    await provider().renumber();
    const second = await opened();
    expect(second.uidValidity).not.to.equal(first.uidValidity);
  });
};

/** A mailbox on a server of a provider, and what an operator sets for it. */
interface ImapProvider extends Omit<Provider, "open"> {
  readonly settings: MailboxSettings;
  /** Returns how many mails a folder has. */
  readonly countIn: (folder: string) => Promise<number>;
  /** Marks all mails as deleted, without removing them. */
  readonly flagDeleted: () => Promise<void>;
  /** Returns the flags of all mails. */
  readonly flags: () => Promise<string>;
}

const settingsOf = ({ port, user, password }: Dovecot | Cyrus): MailboxSettings => ({
  ...{ host: "127.0.0.1", port, secure: false, folder: "INBOX", keepIn: null },
  ...{ user, password, tokenCommand: null, recipientField: null },
});

const keepsContractByImap = (provider: () => ImapProvider): void => {
  const open = (part: Partial<MailboxSettings> = {}, domain = maskDomain): Promise<OpenMailbox> =>
    openImapMailbox({
      settings: { ...provider().settings, ...part },
      maskDomain: domain,
      clock: systemClock,
    });

  keepsContract(() => ({ ...provider(), open }));

  it("moves fetched mail to the folder that the operator names, which it creates", async () => {
    await provider().deliver(mail);
    const mailbox = await open({ keepIn: "Bauta" });
    await mailbox.remove([1]);
    mailbox.close();
    expect(await provider().countIn("Bauta")).to.equal(1);
    const again = await open({ keepIn: "Bauta" });
    again.close();
    expect(again.count()).to.equal(0);
  });

  it("lists and removes what a session has marked as deleted before it was cut off", async () => {
    await provider().deliver(mail);
    await provider().flagDeleted();
    const mailbox = await open();
    expect(await mailbox.list(1, 1)).to.deep.equal([1]);
    await mailbox.remove([1]);
    mailbox.close();
    expect(await provider().countIn(provider().settings.folder)).to.equal(0);
  });

  it("lists to another installation what is nobody's here", async () => {
    await provider().deliver(mail);
    const mailbox = await open();
    await mailbox.mark([1]);
    mailbox.close();
    const another = await open({}, named("other.example"));
    expect(await another.list(1, 1)).to.deep.equal([1]);
    another.close();
  });

  it("leaves mail unseen that it has read or marked", async () => {
    await provider().deliver(mail);
    const mailbox = await open();
    await contentOf(await mailbox.read(1));
    await mailbox.mark([1]);
    mailbox.close();
    const flags = await provider().flags();
    expect(flags).to.include("$Bauta-");
    expect(flags).not.to.include("Seen");
  });

  it("is refused by name with a wrong password, folders, host or kind of TLS, and without a token", async () => {
    const wrong = [
      [{ password: "wrong" }, "refused-login"],
      [{ folder: "Nowhere" }, "no-folder"],
      [{ keepIn: "/" }, "no-other-folder"],
      [{ port: 1 }, "unreachable"],
      [{ secure: true }, "no-tls"],
      [{ tokenCommand: "exit 1" }, "no-token"],
      [{ tokenCommand: "true" }, "no-token"],
      [{ tokenCommand: "echo token" }, "refused-login"],
    ] as const;
    for (const [part, problem] of wrong) {
      const failed = await open(part).catch((error) => error.problem);
      expect(failed, JSON.stringify(part)).to.equal(problem);
    }
  });
};

describe("A mailbox", () => {
  describe("in memory", () => {
    let fake: ReturnType<typeof createFakeMailbox>;
    beforeEach(() => {
      fake = createFakeMailbox({ pass: () => new Promise(() => {}) });
    });
    keepsContract(() => fake);
  });

  describe("of Dovecot", () => {
    const folder = useTemporaryFolder();
    let dovecot: Dovecot;
    before(function () {
      requireDovecot(this);
    });
    beforeEach(async () => {
      dovecot = await startDovecot(folder());
    });
    afterEach(() => dovecot.stop());

    keepsContractByImap(() => ({
      settings: settingsOf(dovecot),
      deliver: async (content) => dovecot.doveadm("save", [], content),
      expunge: async (uid) => {
        dovecot.doveadm("expunge", ["mailbox", "INBOX", "uid", String(uid)]);
      },
      renumber: async () => {
        dovecot.doveadm("mailbox update", ["--uid-validity", "1234567", "INBOX"]);
      },
      countIn: async (name) =>
        Number(/messages=(\d+)/.exec(dovecot.doveadm("mailbox status", ["messages", name]))?.[1]),
      flagDeleted: async () => {
        dovecot.doveadm("flags add", ["\\Deleted", "mailbox", "INBOX", "all"]);
      },
      flags: async () => dovecot.doveadm("fetch", ["flags", "all"]),
    }));

    it("is opened with the access token that a command of the operator prints", async () => {
      const place = join(folder(), "tokens");
      const keys = join(place, "keys/default/HS256");
      mkdirSync(keys, { recursive: true });
      const key = randomBytes(32);
      writeFileSync(join(keys, "default"), key.toString("base64"));
      writeFileSync(
        join(place, "tokens.conf"),
        `introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix=${place}/keys/\nusername_attribute = sub\n`,
      );
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(dovecot.user)
        .setIssuedAt("-1m")
        .setExpirationTime("1h")
        .sign(key);
      const provider = await startDovecot(
        place,
        `auth_mechanisms = plain xoauth2
        passdb {
          driver = oauth2
          mechanisms = xoauth2
          args = ${place}/tokens.conf
        }`,
      );
      try {
        provider.doveadm("save", [], mail);
        const settings = {
          ...settingsOf(provider),
          ...{ password: null, tokenCommand: `echo ${token}` },
        };
        const mailbox = await openImapMailbox({ settings, maskDomain, clock: systemClock });
        expect(mailbox.count()).to.equal(1);
        mailbox.close();
      } finally {
        await provider.stop();
      }
    });
  });

  describe("of Cyrus", () => {
    const folder = useTemporaryFolder();
    let cyrus: Cyrus;
    before(function () {
      requireCyrus(this);
    });
    beforeEach(async () => {
      cyrus = await startCyrus(folder());
      await cyrus.client.mailboxCreate(catchall);
    });
    afterEach(() => cyrus.stop());

    /** Cyrus cannot create INBOX anew. */
    const catchall = "Catchall";
    const opened = async () => {
      await cyrus.client.mailboxOpen(catchall);
      return cyrus.client;
    };

    keepsContractByImap(() => ({
      settings: { ...settingsOf(cyrus), folder: catchall },
      deliver: (content) => cyrus.client.append(catchall, content),
      expunge: async (uid) => {
        await (await opened()).messageDelete(String(uid), { uid: true });
      },
      renumber: async () => {
        await cyrus.client.mailboxDelete(catchall);
        await cyrus.client.mailboxCreate(catchall);
      },
      countIn: async (name) => {
        const status = await cyrus.client.status(name, { messages: true });
        return status === false ? Number.NaN : (status.messages ?? 0);
      },
      flagDeleted: async () => {
        await (await opened()).messageFlagsAdd("1:*", ["\\Deleted"]);
      },
      flags: async () => {
        const all = await (await opened()).fetchAll("1:*", { flags: true });
        return all.map(({ flags }) => [...(flags ?? [])].join(" ")).join("\n");
      },
    }));
  });
});
