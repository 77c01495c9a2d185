import { invitationDays } from "../features/session/lifetimes.ts";
import { createInvitation, invitationLink } from "../features/session/signIn/invitationQueries.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { openSecrets } from "../platform/ops/secrets.ts";
import { type Command, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

const atMost = 100;

export const inviteCommand: Command = {
  name: "invite",
  summary: `Print links that create one account each, within ${invitationDays} days`,
  usage: "[<number>]",
  optionalPositionals: 1,
  run: (invocation) => {
    const count = Number(invocation.positionals[0] ?? 1);
    if (!Number.isInteger(count) || count < 1 || count > atMost)
      throw new UsageError(`The number of invitations is from 1 to ${atMost}.`);
    return withStore(invocation, async ({ config, database }) => {
      const { clock, random } = invocation;
      const hash = createKeyedHash(openSecrets(config.dataDir).hashing);
      const now = clock.now();
      const created = await database.transaction((db) =>
        Promise.all(Array.from({ length: count }, () => createInvitation(db, { hash, random, now }))),
      );
      const invitations = created.map(({ token, expiresAt }) => ({
        link: invitationLink(config.publicUrl, token),
        expires: new Date(expiresAt).toISOString(),
      }));
      invocation.terminal.print(
        invitations,
        invitations.map(({ link }) => link),
      );
      return 0;
    });
  },
};
