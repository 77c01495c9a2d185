import type { Command } from "commander";
import {
  concatMap,
  filter,
  firstValueFrom,
  interval,
  NEVER,
  type Observable,
  of,
  startWith,
  switchMap,
  tap,
  throttleTime,
} from "rxjs";
import type { FeatureDeps } from "../../core/app/signedIn.ts";
import { isActive, type Mask, statisticsOf } from "../../core/masks/mask.ts";
import { declare } from "../command.ts";
import { followChanges } from "../events.ts";
import { exits, Stop } from "../exits.ts";
import type { OpenLogin } from "../login/connect.ts";
import { loadMasks, maskJson } from "../masks.ts";
import { plain } from "../output/text.ts";
import { withApp } from "./withApp.ts";

/** A change of a mask. */
export interface MaskEvent {
  readonly event: "made" | "deleted" | "on" | "off" | "mail" | "changed";
  readonly text: string;
  readonly mask: Mask;
}

const mailText = (before: Mask, after: Mask): string => {
  const old = statisticsOf(before);
  const now = statisticsOf(after);
  const count = now.totalReceived - old.totalReceived;
  const parts = [
    [now.totalForwarded - old.totalForwarded, "forwarded"],
    [now.spamBlocked - old.spamBlocked, "blocked"],
  ] as const;
  const known = parts.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : []));
  return `${count} ${count === 1 ? "mail" : "mails"}${known.length > 0 ? ` (${known.join(", ")})` : ""}`;
};

const isChanged = (before: Mask, after: Mask): boolean =>
  (before.updated ?? "") !== (after.updated ?? "") || before.description !== after.description;

const eventsOfMask = (before: Mask, after: Mask): readonly MaskEvent[] => {
  if (isActive(before) !== isActive(after)) {
    const event = isActive(after) ? "on" : "off";
    return [{ event, text: `is ${event}`, mask: after }];
  }
  if (statisticsOf(after).totalReceived > statisticsOf(before).totalReceived)
    return [{ event: "mail", text: `received ${mailText(before, after)}`, mask: after }];
  return isChanged(before, after) ? [{ event: "changed", text: "was changed", mask: after }] : [];
};

/** Finds what has happened to masks between two states of the list. */
const eventsBetween = (before: readonly Mask[], after: readonly Mask[]): readonly MaskEvent[] => {
  const known = new Map(before.map((mask) => [mask.id, mask]));
  const left = new Set(after.map(({ id }) => id));
  return [
    ...before
      .filter(({ id }) => !left.has(id))
      .map((mask): MaskEvent => ({ event: "deleted", text: "was deleted", mask })),
    ...after.flatMap((mask): readonly MaskEvent[] => {
      const old = known.get(mask.id);
      return old === undefined ? [{ event: "made", text: "was made", mask }] : eventsOfMask(old, mask);
    }),
  ];
};

/** The interval at which the list is read with an API token at a server that has no stream of changes. */
const readEachMs = 5_000;
/** Changes that come together are read together. */
const collectedMs = 200;

/** Emits when the masks may have changed: what a session's app hears by itself, a token's is told by the server. */
const changes$ = ({ server, token, ports }: OpenLogin, onLost: () => void): Observable<unknown> => {
  if (token === null) return NEVER;
  return followChanges(ports, { server, token }).pipe(
    tap((message) => {
      if (message === "lost") onLost();
    }),
    filter((message) => message !== "lost"),
    switchMap((message) => (message === "unavailable" ? interval(readEachMs) : of(message))),
    throttleTime(collectedMs, ports.clock.scheduler, { leading: true, trailing: true }),
  );
};

const createRereading = ({ masks, forgetPendingGets }: FeatureDeps) => ({
  read: (): Promise<unknown> => {
    forgetPendingGets();
    return masks.refresh()();
  },
});

export const watchCommand: Command = declare(
  "watch",
  "Show changes of masks and their mail as they happen, until Ctrl+C",
  { call: "bauta-cli watch --json", does: "prints a line of JSON for each change" },
).action(
  withApp(
    async (session) => {
      const { signedIn, output, app, login } = session;
      let before = await loadMasks(session, output);
      const { read } = signedIn.feature(createRereading);
      output.note(`Watching ${before.length} masks. Ctrl+C ends it.`);
      const changes = signedIn.masks.view$
        .pipe(filter(({ status }) => status === "ready" || status === "stale"))
        .subscribe(({ all }) => {
          for (const { event, text, mask } of eventsBetween(before, all)) {
            const at = new Date().toISOString();
            output.print({
              value: { at, event, mask: maskJson(mask) },
              quiet: [`${event} ${mask.maskEmail}`],
              lines: () => [plain(`${at.slice(11, 19)}  ${mask.maskEmail} ${text}`)],
            });
          }
          before = all;
        });
      const sayLost = (): void => output.note("The connection is lost. Trying again …");
      const reading = changes$(login, sayLost)
        .pipe(concatMap(() => read()))
        .subscribe();
      const help = signedIn.realtime.needsHelp$.pipe(startWith(false)).subscribe((isDown) => {
        if (isDown) sayLost();
      });
      await firstValueFrom(app.session.state$.pipe(filter(({ kind }) => kind === "signed-out")));
      for (const subscription of [changes, reading, help]) subscription.unsubscribe();
      throw new Stop(exits.notLoggedIn, "The session or the token has ended.");
    },
    { isLive: true },
  ),
);
