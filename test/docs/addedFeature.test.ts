import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { systemClock } from "../../adapters/system/clockAndRandom.ts";
import type { FeatureDeps } from "../../core/app/signedIn.ts";
import { domainOf } from "../../core/mail/emailAddress.ts";
import type { composeServer } from "../../server/app/app.ts";
import { readConfig } from "../../server/platform/config/config.ts";
import { codeMailedTo, mailInOutbox } from "../e2e/support/server.ts";
import { openShell, type Shell } from "../server/support/shell.ts";
import { connectSmtp } from "../server/support/smtpClient.ts";
import { until } from "../server/support/until.ts";
import { freePort } from "../support/freePort.ts";
import { longTestMs } from "../support/limits.ts";
import { quickFolder } from "../support/quickFolder.ts";
import { notesEdits, notesFiles } from "./notesFeature.ts";
import { copyTree, type TreeCopy } from "./overlay.ts";

const email = "writer@example.org";

const maskDraft = {
  description: "Shop",
  forwardTo: email,
  spamFilter: false,
  labels: [],
  note: "",
  acceptUnproven: false,
  customPrefix: "",
};

/** The public entry of the added feature, as far as the test uses it. */
interface Notes {
  readonly notes$: { readonly value: readonly { readonly text: string }[] };
  readonly refresh: () => () => Promise<{ readonly _tag: "Left" | "Right" }>;
  readonly add: (text: string) => () => Promise<unknown>;
}

describe("A feature that follows its recipe in CONTRIBUTING.md", function () {
  this.timeout(longTestMs);
  let tree: TreeCopy;
  let dataDir: string;
  let origin: string;
  let smtp: number;
  let stop: () => Promise<unknown>;
  let shell: Shell;
  let firstCode: string;
  let notes: Notes;

  const messages = (): readonly string[] =>
    shell.signedIn().notifications.view$.value.list.map(({ message }) => message);

  const start = async (): Promise<void> => {
    const [port, smtpPort] = [await freePort(), await freePort()];
    origin = `http://127.0.0.1:${port}`;
    smtp = smtpPort;
    const settings = { DATA_DIR: dataDir, PORT: `${port}`, SMTP_PORT: `${smtpPort}`, LOG_LEVEL: "silent" };
    const app = (await import(join(tree.path, "server/app/app.ts"))) as {
      readonly composeServer: typeof composeServer;
    };
    stop = await (await app.composeServer(readConfig(settings))).start();
    shell = openShell(origin, systemClock, until);
  };

  const openNotes = async (): Promise<Notes> => {
    const entry = (await import(join(tree.path, "core/notes/notes.ts"))) as {
      readonly createNotes: (deps: FeatureDeps) => Notes;
    };
    return shell.signedIn().feature(entry.createNotes);
  };

  before(async () => {
    tree = await copyTree(["core", "adapters", "server"], notesEdits, notesFiles);
    await mkdir(join(tree.path, "dist/web"), { recursive: true });
    await writeFile(join(tree.path, "dist/web/index.html"), "<!doctype html><title>Bauta</title>");
    dataDir = await mkdtemp(join(quickFolder, "bauta-notes-"));
    await start();
    await shell.signUp(email, async (address) => {
      firstCode = await codeMailedTo({ dataDir }, address);
      return firstCode;
    });
    notes = await openNotes();
  });

  after(async () => {
    shell?.stop();
    await stop?.();
    await rm(dataDir, { recursive: true, force: true });
    await tree?.remove();
  });

  it("needs only files that the page names", async () => {
    const page = await readFile(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
    const recipe = /### A feature\n([\s\S]*?)\n###? /.exec(page)?.[1] ?? "";
    const named = Array.from(recipe.matchAll(/`([^`]+)`/g), ([, path = ""]) =>
      path.replaceAll("<noun>s", "notes").replaceAll("<noun>", "note"),
    );
    for (const file of [...Object.keys(notesFiles), ...notesEdits.map((edit) => edit.file)])
      expect(
        named.some((path) => file === path || (path.endsWith("/") && file.startsWith(path))),
        file,
      ).to.equal(true);
  });

  it("changes one file of the server outside its folder, and the lists of tables and migrations", () => {
    const edited = new Set(notesEdits.map(({ file }) => file));
    expect([...edited]).to.deep.equal([
      "server/app/features.ts",
      "server/app/databaseTables.ts",
      "server/platform/store/migrations/migrations.ts",
    ]);
  });

  it("has routes that read and write its table, by the use case of its screen", async () => {
    await notes.add("Water the plants")();
    await notes.add("Feed the cat")();
    expect(notes.notes$.value.map(({ text }) => text)).to.deep.equal(["Water the plants", "Feed the cat"]);
  });

  it("refuses the body of a request that its codec refuses, and requests without a session", async () => {
    expect(await notes.add("")()).to.have.property("_tag", "Left");
    expect((await fetch(`${origin}/notes`)).status).to.equal(401);
  });

  it("has a job whose notification the app receives", () =>
    until("both reminders are shown", () =>
      ["Water the plants", "Feed the cat"].every((text) => messages().includes(text)),
    ));

  it("takes mail at an address of its own, refuses mail to masks, and writes a field into copies", async () => {
    const { masks } = shell.signedIn();
    const created = await masks.create(maskDraft)();
    if (created._tag === "Left") throw new Error("no mask");
    const { maskEmail } = created.right;
    const client = await connectSmtp(smtp);
    const letter = (subject: string): string => `From: <${email}>\r\nSubject: ${subject}\r\n\r\nHello\r\n`;
    expect(await client.mail(email, [`notes@${domainOf(maskEmail)}`], letter("A note"))).to.match(/^250/);
    expect(await client.mail(email, [maskEmail], letter("No notes"))).to.match(/^550/);
    expect(await client.mail(email, [maskEmail], letter("Forwarded"))).to.match(/^250/);
    client.destroy();
    await notes.refresh()();
    expect(notes.notes$.value.map(({ text }) => text)).to.include("mailed");
    expect(await mailInOutbox({ dataDir }, "Subject: Forwarded")).to.include("X-Notes: yes\r\n");
  });

  it("has its expired rows deleted by the housekeeping", async () => {
    shell.stop();
    await stop();
    await start();
    await shell.signIn(email, (address) => codeMailedTo({ dataDir }, address, new Set([firstCode])));
    notes = await openNotes();
    await until("the notes are deleted", async () => {
      const { _tag } = await notes.refresh()();
      return _tag === "Right" && notes.notes$.value.length === 0;
    });
  });
});
