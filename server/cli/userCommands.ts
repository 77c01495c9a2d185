import { dayOf } from "../../core/kernel/calendarDay.ts";
import { minuteMs } from "../../core/kernel/durations.ts";
import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../core/mail/mailboxName.ts";
import { codeLifetimeMs } from "../../core/session/oneTimeCode.ts";
import { labelOf, parseTier, type Tier, tiers } from "../../core/tiers/tier.ts";
import { readAccountExport } from "../features/account/accountExport.ts";
import { deleteUser } from "../features/account/userDataQueries.ts";
import { revokeAllApiTokens } from "../features/apiTokens/apiTokenQueries.ts";
import { assignTier } from "../features/billing/changePlan.ts";
import { listPasskeyRows } from "../features/passkeys/passkeyQueries.ts";
import { SenderLists } from "../features/senders/senderLists.ts";
import { endAllSessions } from "../features/session/sessions.ts";
import { createSignInLink } from "../features/session/signIn/signInLink.ts";
import { takeTwoFactorOff } from "../features/session/twoFactor/takeTwoFactorOff.ts";
import { sellsPlans } from "../platform/config/config.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { createSeal, openSecrets } from "../platform/ops/secrets.ts";
import { findUserByMailbox, lockUser, setSuspended, type UserRow } from "../platform/store/users.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { accountOf, withStore } from "./store.ts";
import { columns } from "./terminal.ts";

const described = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  tier: parseTier(user.tier),
  assignedTier: user.assigned_tier,
  pays: user.pays === 1,
  suspended: user.suspended === 1,
  operator: user.is_operator === 1,
  masks: user.mask_count,
  twoFactor: user.two_factor === 1,
  passkeysOnly: user.passkeys_only === 1,
  created: new Date(user.created_at).toISOString(),
});

const stateOf = ({ suspended, operator }: ReturnType<typeof described>): string =>
  [suspended ? "suspended" : "", operator ? "operator" : ""].filter(Boolean).join(", ") || "-";

const list: Command = {
  name: "user list",
  summary: "List the accounts",
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const rows = await database.db.selectFrom("users").selectAll().orderBy("email_key").execute();
      const users = rows.map(described);
      invocation.terminal.print(users, [
        ...columns([
          ["ADDRESS", "TIER", "MASKS", "STATE", "SINCE"],
          ...users.map((user) => [
            user.email,
            labelOf[user.tier],
            String(user.masks),
            stateOf(user),
            user.created.slice(0, 10),
          ]),
        ]),
        `${users.length} accounts`,
      ]);
      return 0;
    }),
};

const show: Command = {
  name: "user show",
  summary: "Show an account",
  usage: "<address>",
  positionals: 1,
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const account = await accountOf(database, invocation.positionals[0]);
      const passkeys = (await listPasskeyRows(database.db, account.id)).length;
      const user = { ...described(account), passkeys };
      invocation.terminal.print(
        user,
        columns(Object.entries(user).map(([name, value]) => [name, String(value ?? "-")])),
      );
      return 0;
    }),
};

const link: Command = {
  name: "user link",
  summary: `Print a link that logs in once, within ${codeLifetimeMs / minuteMs} minutes, for somebody who gets no mail with a code`,
  usage: "<address>",
  positionals: 1,
  run: (invocation) =>
    withStore(invocation, async ({ config, database }) => {
      const [address = ""] = invocation.positionals;
      const isFirst = config.operators.some((one) => isSameMailbox(one, address));
      const known = await findUserByMailbox(database.db, mailboxKey(address));
      const user = known || isFirst ? known : await accountOf(database, address);
      if (user?.suspended === 1)
        throw new CommandError(
          `${user.email} is suspended; \`bauta user suspend --lift\` lets it be used again.`,
        );
      const { clock, random } = invocation;
      const { link: made, expiresAt } = await createSignInLink(database.db, {
        publicUrl: config.publicUrl,
        email: user?.email ?? address,
        hash: createKeyedHash(openSecrets(config.dataDir).hashing),
        random,
        now: clock.now(),
      });
      invocation.terminal.print({ link: made, expires: new Date(expiresAt).toISOString() }, [made]);
      return 0;
    }),
};

const toTier = (text: string | undefined): Tier | null => {
  if (text === "default") return null;
  const tier = tiers.find((one) => one === text);
  if (!tier) throw new UsageError(`The tier is one of ${tiers.join(", ")}, default.`);
  return tier;
};

const tier: Command = {
  name: "user tier",
  summary: "Give an account a tier of its own, or take it back with `default`",
  usage: "<address> <tier>",
  positionals: 2,
  run: (invocation) =>
    withStore(invocation, async ({ config, database }) => {
      const [address, name] = invocation.positionals;
      const given = toTier(name);
      const { id } = await accountOf(database, address);
      const now = invocation.clock.now();
      const defaultTier = config.defaultTier ?? "free";
      await database.transaction((db) =>
        assignTier(db, id, { tier: given, defaultTier, sellsPlans: sellsPlans(config), now }),
      );
      const user = described(await accountOf(database, address));
      invocation.terminal.print(user, [`${user.email} now has the tier ${labelOf[user.tier]}.`]);
      return 0;
    }),
};

const suspend: Command = {
  name: "user suspend",
  summary: "End an account's sessions and API tokens and refuse its logins and mail, or --lift that",
  usage: "<address> [--lift]",
  positionals: 1,
  options: { lift: { type: "boolean", help: "allow the account to be used again" } },
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const { id, email } = await accountOf(database, invocation.positionals[0]);
      const isSuspended = !invocation.flag("lift");
      await database.transaction(async (db) => {
        await lockUser(db, id);
        await setSuspended(db, id, isSuspended);
        if (!isSuspended) return;
        await endAllSessions(db, id, invocation.clock.now());
        await revokeAllApiTokens(db, id, invocation.clock.now());
      });
      invocation.terminal.print({ email, suspended: isSuspended }, [
        isSuspended ? `${email} is suspended.` : `${email} can be used again.`,
      ]);
      return 0;
    }),
};

const twoFactor: Command = {
  name: "user two-factor",
  summary:
    "Switch two-factor authentication of an account `off`, end its sessions, and notify its owner by mail",
  usage: "off <address>",
  positionals: 2,
  run: (invocation) =>
    withStore(invocation, async ({ config: { brand, maskDomain, publicUrl }, database }) => {
      const [state, address] = invocation.positionals;
      if (state !== "off") throw new UsageError("Usage: bauta user two-factor off <address>");
      const { id, email } = await accountOf(database, address);
      const { clock, random } = invocation;
      const deps = { clock, random, sender: { brand, maskDomain, publicUrl } };
      const isOff = await database.transaction((db) => takeTwoFactorOff(db, deps, id));
      if (!isOff) throw new CommandError(`${email} has no two-factor authentication.`);
      invocation.terminal.print({ email, twoFactor: false }, [
        `${email} now logs in without two-factor authentication. Sessions of the account have ended; its API tokens and app passwords stay.`,
      ]);
      return 0;
    }),
};

const remove: Command = {
  name: "user delete",
  summary: "Delete an account with its masks, mails and figures",
  usage: "<address> --yes",
  positionals: 1,
  options: { yes: { type: "boolean", help: "really delete; without it, say what would be deleted" } },
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const user = await accountOf(database, invocation.positionals[0]);
      const what = `${user.email} with ${user.mask_count} masks, since ${dayOf(user.created_at)}`;
      if (!invocation.flag("yes"))
        throw new CommandError(`This would delete ${what}, for good. Add --yes to do so.`);
      const now = invocation.clock.now();
      await database.transaction(async (db) => {
        await lockUser(db, user.id);
        await endAllSessions(db, user.id, now);
        await revokeAllApiTokens(db, user.id, now);
        await deleteUser(db, user, now);
      });
      invocation.terminal.print({ email: user.email, deleted: true }, [`Deleted ${what}.`]);
      return 0;
    }),
};

const exportAccount: Command = {
  name: "export",
  summary: "Print all data of an account as JSON, as the account's own export does",
  usage: "<address>",
  positionals: 1,
  run: (invocation) =>
    withStore(invocation, async ({ config, database }) => {
      const { id } = await accountOf(database, invocation.positionals[0]);
      const { clock, random } = invocation;
      const secrets = openSecrets(config.dataDir);
      const seal = createSeal(secrets.sealing, random);
      const senderLists = new SenderLists(createKeyedHash(secrets.hashing), seal);
      const data = await readAccountExport(database.db, { seal, senderLists, config }, id, clock.now());
      invocation.terminal.print(data, [JSON.stringify(data, null, 2)]);
      return 0;
    }),
};

export const userCommands: readonly Command[] = [
  list,
  show,
  link,
  tier,
  suspend,
  twoFactor,
  remove,
  exportAccount,
];
