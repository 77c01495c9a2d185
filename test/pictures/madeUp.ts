import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createTransport } from "nodemailer";
import { createBenchAccount } from "../../bench/page/account.ts";
import { type AccountApi, type Kept, openAccountApi } from "../e2e/support/accountApi.ts";
import { type RunningServer, startServer } from "../e2e/support/server.ts";
import { createAccount } from "../e2e/support/visitor.ts";
import { startDnsStub } from "../server/support/dnsStub.ts";
import { lockWaitMs } from "../support/limits.ts";

/** The moment that the pages take for now, so that pictures differ only where the product does. */
export const now = Date.UTC(2026, 10, 20, 9, 30);
const day = 86_400_000;

interface ShownMask {
  readonly description: string;
  readonly local: string;
  readonly daysOld: number;
  readonly figures: readonly [received: number, blocked: number];
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The newest mask first. */
const shownMasks: readonly ShownMask[] = [
  {
    description: "Bookshop",
    local: "quietharbour",
    daysOld: 2,
    figures: [128, 3],
    body: { labels: ["shops"], pinned: true, note: "Customer number 4711" },
  },
  {
    description: "Concert tickets",
    local: "amberlantern",
    daysOld: 9,
    figures: [14, 0],
    body: {
      labels: ["leisure"],
      // biome-ignore lint/suspicious/noThenProperty: the contract's name
      expiry: { mails: 40, idleDays: 90, then: "disable" },
    },
  },
  {
    description: "Newsletter of the city",
    local: "silverorchard",
    daysOld: 31,
    figures: [212, 17],
    body: { labels: ["news"], active: false, whenOff: "hold" },
  },
  {
    description: "Hiking club",
    local: "copperbrook",
    daysOld: 64,
    figures: [45, 1],
    body: {
      labels: ["leisure", "people"],
      senders: { mode: "approve", allow: ["club.example"], block: ["ads.example"] },
    },
  },
  {
    description: "Phone contract",
    local: "gentlemeadow",
    daysOld: 120,
    figures: [36, 0],
    body: { labels: ["bills"], destinations: ["ada@example.org", "bills@second.example"] },
  },
  {
    description: "Flea market",
    local: "brightpebble",
    daysOld: 200,
    figures: [9, 4],
    body: { labels: ["shops"] },
  },
  {
    description: "Library",
    local: "paperlighthouse",
    daysOld: 310,
    figures: [61, 0],
    body: { labels: ["leisure"] },
  },
];

const labelColors = { shops: "teal", leisure: "purple", news: "amber", people: "blue", bills: "red" };

const storeOf = ({ dataDir }: RunningServer): DatabaseSync => {
  const file = readdirSync(dataDir).find((name) => name.endsWith(".db")) ?? "";
  return new DatabaseSync(join(dataDir, file), { timeout: lockWaitMs });
};

/** Gives the masks the addresses, times and figures of the pictures, straight in the store. */
const settle = (server: RunningServer): void => {
  const database = storeOf(server);
  for (const { description, local, daysOld, figures } of shownMasks) {
    const created = now - daysOld * day;
    const mask = database.prepare("select id, email from masks where description = ?").get(description);
    const id = String(mask?.["id"]);
    const email = `${local}@masks.example.org`;
    database
      .prepare("update notifications set message = replace(message, ?, ?)")
      .run(String(mask?.["email"]), email);
    database
      .prepare("update masks set email = ?, created_at = ?, updated_at = ? where id = ?")
      .run(email, created, created, id);
    database
      .prepare(
        `update mask_statistics set total_received = ?, total_forwarded = ?, spam_blocked = ?, last_used_at = ?
         where mask_id = ?`,
      )
      .run(figures[0], figures[0] - figures[1], figures[1], now - Math.ceil(daysOld / 3) * day, id);
  }
  database.exec(`update destinations set confirmed_at = ${now - 300 * day}, created_at = ${now - 300 * day}`);
  database.exec(`update masks set expiry_from = ${now} where expiry is not null`);
  database.exec(`update masks set deleted_at = ${now - 5 * day} where description = 'Flea market'`);
  database.close();
};

/** What is added to an account before its times are settled; the address of a mask is found by its description. */
type AddMore = (api: AccountApi, addresses: ReadonlyMap<string, string>) => Promise<void>;

/** Creates an account with the made-up masks. */
export const fillMasks = async (
  server: RunningServer,
  addMore: AddMore = async () => undefined,
): Promise<Kept> => {
  const kept = await createAccount(server, "ada@example.org");
  const api = await openAccountApi(server, kept);
  const addresses = new Map<string, string>();
  for (const [name, color] of Object.entries(labelColors)) await api.send("POST", "/labels", { name, color });
  for (const { description, body } of shownMasks.toReversed()) {
    const mask = await api.send("POST", "/masks", { description, ...body });
    addresses.set(description, (mask as { readonly id: string; readonly maskEmail: string }).maskEmail);
    if (description === "Bookshop")
      for (const address of ["orders@bookshop.example", "jo@letters.example"])
        await api.send("POST", `/masks/${mask.id}/correspondents`, { address });
  }
  await addMore(api, addresses);
  await api.leave();
  settle(server);
  return kept;
};

const rule = (id: string, name: string, word: string, action: object) => ({
  id,
  name,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: [word] }],
  actions: [action],
  updatedAt: new Date(now - day).toISOString(),
});

const rules = [
  rule("rule_sale", "Block sales", "sale", { type: "block", params: {} }),
  rule("rule_order", "Tag orders", "order", { type: "tag", params: { tag: "Orders" } }),
  {
    ...rule("rule_ask", "Ask before invitations", "invitation", { type: "hold", params: {} }),
    enabled: false,
  },
];

const mails = [
  ["Bookshop", "orders@bookshop.example", "Your order 4711 is on its way"],
  ["Bookshop", "news@bookshop.example", "Summer sale: everything at half the price"],
  ["Concert tickets", "tickets@concerts.example", "Your tickets for the evening of 4 December"],
  ["Newsletter of the city", "desk@city.example", "What the council has decided this week"],
  ["Newsletter of the city", "desk@city.example", "The tram takes another way until spring"],
  ["Hiking club", "ben@walkers.example", "Shall we walk along the river on Sunday?"],
] as const;

const sendMails = async (server: RunningServer, addresses: ReadonlyMap<string, string>): Promise<void> => {
  const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
  for (const [mask, from, subject] of mails) {
    const to = addresses.get(mask) ?? "";
    const sent = transport.sendMail({
      envelope: { from, to },
      from,
      to,
      subject,
      date: new Date(now - day),
      messageId: `<${subject.length}@${from.split("@")[1]}>`,
      text: `${subject}.\n\nWith kind regards\n`,
    });
    // A rule refuses one of them.
    await sent.catch((error: Error) => {
      if (!subject.includes("sale")) throw error;
    });
  }
  transport.close();
};

/** The columns with times that screens show, and from when on their rows are, each an hour before the one after it. */
const shownTimes: readonly (readonly [table: string, column: string])[] = [
  ["log_entries", "at"],
  ["log_steps", "at"],
  ["held_mails", "held_at"],
  ["notifications", "created_at"],
  ["sessions", "last_used_at"],
  ["sessions", "created_at"],
];

const settleTimes = (server: RunningServer): void => {
  const database = storeOf(server);
  for (const [table, column] of shownTimes) {
    const rows = database.prepare(`select rowid as number from ${table} order by rowid desc`).all();
    for (const [place, { number }] of rows.entries())
      database
        .prepare(`update ${table} set ${column} = ? where rowid = ?`)
        .run(now - (place + 1) * 3_600_000, number ?? null);
  }
  const user = database.prepare("select id from users where email = 'ada@example.org'").get()?.["id"] ?? null;
  const notify = database.prepare(
    `insert into notifications (user_id, type, priority, message, created_at, read_at)
     values (?, ?, 'normal', ?, ?, ?)`,
  );
  notify.run(user, "info", "The mask Library has been idle for three months.", now - 2 * day, now - day);
  notify.run(user, "success", "Your copy of all data is ready.", now - 3 * day, now - day);
  database.close();
};

/** A server with made-up accounts whose clock begins at the moment of the pictures. */
export interface MadeUp {
  readonly server: RunningServer;
  /** Sessions of an account with eight masks and mail, of one with 300 masks, and of one without any. */
  readonly accounts: Readonly<Record<"some" | "many" | "none", Kept>>;
  readonly leave: () => Promise<void>;
}

/**
 * Lets the clock of a program of Node begin at a moment and run at a tenth of its speed. However long the pictures take, no
 * access token expires: of two contexts with the same session, the second to refresh it would end it.
 */
const slowClockFrom = (moment: number): string =>
  `data:text/javascript,${encodeURIComponent(
    `const Real = Date; const began = Real.now(); const shown = () => ${moment} + Math.floor((Real.now() - began) / 10);
     globalThis.Date = class extends Real {
       constructor(...all) { if (all.length === 0) super(shown()); else super(...all); }
       static now() { return shown(); }
     };`,
  )}`;

export const startMadeUp = async (): Promise<MadeUp> => {
  const dns = await startDnsStub({});
  const server = await startServer({
    DEFAULT_TIER: "self_hosted",
    MASK_DOMAIN: "masks.example.org",
    PUBLIC_URL: "http://app.masks.example.org",
    OPERATORS: "ada@example.org",
    SIGN_UP: "open",
    DNS_SERVER: dns.address,
    NODE_OPTIONS: `--import=${slowClockFrom(now)}`,
  });
  const some = await fillMasks(server, async (api, addresses) => {
    await api.send("PUT", "/rules/after", { rules });
    await api.send("POST", "/domains", { name: "own.example" });
    await api.send("PUT", "/log/settings", { keep: "address" });
    await sendMails(server, addresses);
  });
  const { kept: many } = await createBenchAccount(server, 300);
  const none = await createAccount(server, "new@example.org");
  settleTimes(server);
  return {
    server,
    accounts: { some, many, none },
    leave: async () => {
      await server.stop();
      await server.removeData();
      await dns.close();
    },
  };
};
