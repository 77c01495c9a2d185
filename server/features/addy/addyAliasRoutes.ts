import type { FeatureContext } from "../../context/feature.ts";
import { type CompatibleRoute, preparedWrite, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import type { Write } from "../../platform/store/database.ts";
import { trashMask } from "../trash/userTrash.ts";
import * as endpoints from "./contract/addyAliasEndpoints.ts";
import * as aliases from "./userAddyAliases.ts";

/** Some calls answer nothing of what they have changed. */
const withoutAnswer =
  (change: Write<unknown>): Write<void> =>
  async (tx) => {
    await change(tx);
  };

const limited = { perMinute: perMinute.masks };
const creates = { ...limited, addsData: true } as const;

const routesOfOne = (context: FeatureContext): readonly CompatibleRoute[] => [
  preparedWrite(endpoints.postAlias, creates, ({ auth, body }) => aliases.makeAlias(context, auth, body)),
  signedIn(endpoints.getAliases, limited, ({ auth, params }) => aliases.listAliases(context, auth, params)),
  signedIn(endpoints.getAlias, {}, ({ auth, params }) => aliases.getAlias(context, auth, params.id)),
  preparedWrite(endpoints.patchAlias, limited, ({ auth, params, body }) =>
    aliases.describeAlias(context, auth, params.id, body.description),
  ),
  write(endpoints.deleteAlias, limited, ({ tx, auth, params }) => trashMask(context, tx, auth, params.id)),
  write(endpoints.forgetAlias, limited, async ({ tx, auth, params }) => {
    await aliases.forgetAliases(context, tx, auth, [params.id]);
  }),
  preparedWrite(endpoints.restoreAlias, limited, ({ auth, params }) =>
    aliases.restoreAlias(context, auth, params.id),
  ),
  preparedWrite(endpoints.postActiveAlias, limited, ({ auth, body }) =>
    aliases.setAliasActive(context, auth, body.id, true),
  ),
  preparedWrite(endpoints.deleteActiveAlias, limited, async ({ auth, params }) =>
    withoutAnswer(await aliases.setAliasActive(context, auth, params.id, false)),
  ),
  preparedWrite(endpoints.postPinnedAlias, limited, ({ auth, body }) =>
    aliases.setAliasPinned(context, auth, body.id, true),
  ),
  preparedWrite(endpoints.deletePinnedAlias, limited, async ({ auth, params }) =>
    withoutAnswer(await aliases.setAliasPinned(context, auth, params.id, false)),
  ),
  preparedWrite(endpoints.postAliasRecipients, limited, ({ auth, body }) =>
    aliases.setAliasRecipients(context, auth, body.alias_id, body.recipient_ids ?? []),
  ),
];

const changesOfSeveral = [
  [endpoints.activateBulk, { kind: "switch", active: true }, "activated"],
  [endpoints.deactivateBulk, { kind: "switch", active: false }, "deactivated"],
  [endpoints.pinBulk, { kind: "pin", pinned: true }, "pinned"],
  [endpoints.unpinBulk, { kind: "pin", pinned: false }, "unpinned"],
  [endpoints.deleteBulk, { kind: "delete" }, "deleted"],
  [endpoints.restoreBulk, { kind: "restore" }, "restored"],
] as const;

const routesOfSeveral = (context: FeatureContext): readonly CompatibleRoute[] => [
  signedIn(endpoints.getAliasesBulk, { ...limited, answerStored: "afterwards" }, ({ auth, body }) =>
    aliases.getAliases(context, auth, body.ids),
  ),
  ...changesOfSeveral.map(([endpoint, change, done]) =>
    write(endpoint, limited, ({ tx, auth, body: { ids } }) =>
      aliases.changeAliases(context, tx, auth, { ids, change, done }),
    ),
  ),
  write(endpoints.forgetBulk, limited, ({ tx, auth, body }) =>
    aliases.forgetAliases(context, tx, auth, body.ids),
  ),
  write(endpoints.recipientsBulk, limited, ({ tx, auth, body: { ids, recipient_ids: recipientIds } }) =>
    aliases.setRecipientsOfAliases(context, tx, auth, { ids, recipientIds: recipientIds ?? [] }),
  ),
];

/** Returns the routes of the calls about masks, each limited to the token's owner. */
export const aliasRoutes = (context: FeatureContext): readonly CompatibleRoute[] => [
  ...routesOfOne(context),
  ...routesOfSeveral(context),
];
