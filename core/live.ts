import type { Task } from "fp-ts/lib/Task.js";
import { EMPTY, filter, map, merge, type Observable, Subscription, switchMap, tap } from "rxjs";
import type { AccountControl } from "./account/account.ts";
import { followAccount } from "./account/accountUpkeep.ts";
import type { User } from "./account/user.ts";
import { type Inbox, makeInbox } from "./notifications/inbox.ts";
import { makeRemoteNotifications } from "./notifications/remoteNotifications.ts";
import type { Http } from "./ports/http.ts";
import type { Ports } from "./ports/ports.ts";
import { makeAskSession } from "./realtime/askSession.ts";
import { type Diagnosis, makeDiagnose } from "./realtime/diagnosis.ts";
import { type Link, makeLink } from "./realtime/link.ts";
import type { DataUpdate } from "./realtime/messages.ts";
import { makeNotificationLine, notificationNews } from "./realtime/notificationLine.ts";
import type { Call } from "./requests/call.ts";
import { makeNewAddress, type NewAddressNeeds } from "./session/newAddress.ts";

/** What only somebody who is signed in needs, and what is therefore fetched then. */
export interface Live {
  readonly link: Link;
  readonly inbox: Inbox;
  readonly diagnose: Task<Diagnosis>;
  /** What has changed on the server, and "resumed" when that cannot be known. */
  readonly updates$: Observable<DataUpdate>;
  readonly start: () => Subscription;
}

export interface LiveNeeds
  extends NewAddressNeeds,
    Pick<Ports, "socket" | "clock" | "random" | "reporter" | "connectivity" | "tabs"> {
  readonly baseAddress: string;
  readonly token: () => string | null;
  readonly user$: Observable<User | null>;
  readonly account: AccountControl;
  /** Whether there should be a connection now. */
  readonly wanted$: Observable<boolean>;
  readonly call: Call;
  /** Speaks to the server without ado: nothing is repeated, nobody is told. */
  readonly plainHttp: Http;
  /** The same in the name of whoever is signed in; a token that has grown old is replaced. */
  readonly sessionHttp: Http;
  readonly banner: { readonly show: (text: string) => void; readonly withdraw: (text: string) => void };
}

const connectionLost = "Connection to server lost. Please refresh the page to reconnect.";

/** What a page shows of the server's, and wants to hear of (RT12). */
const topics = [
  { channel: "notifications" },
  { resource: "masks" },
  { resource: "account" },
  { resource: "keys" },
  { resource: "insights" },
  { resource: "content-access" },
] as const;

/** What has changed, for whoever shows it; a page that was cut off cannot know, and looks at its masks again. */
const updatesOf = ({ messages$, state$ }: Link): Observable<DataUpdate> =>
  merge(
    messages$.pipe(
      filter((message) => message.type === "data_update"),
      map(({ data }) => data),
    ),
    state$.pipe(
      filter((state) => state === "connected"),
      map((): DataUpdate => ({ resource: "masks", action: "resumed" })),
    ),
  );

const isLive = ({ ready$, state$ }: Link): Observable<boolean> =>
  merge(
    ready$.pipe(map(() => true)),
    state$.pipe(
      filter((state) => state !== "connected"),
      map(() => false),
    ),
  );

export const makeLive = (needs: LiveNeeds): Live => {
  const { clock, random, connectivity, tabs, banner } = needs;
  const link = makeLink({
    ...needs,
    online$: connectivity.online$,
    askSession: makeAskSession(needs.sessionHttp),
  });
  const inbox = makeInbox({
    ...needs,
    remote: makeRemoteNotifications(needs.call),
    line: makeNotificationLine(link, random),
    news$: notificationNews(link.messages$),
    isLive$: isLive(link),
  });
  const updates$ = updatesOf(link).pipe(tap(needs.forgetAnswers));
  const { online$ } = connectivity;
  const followed$ = needs.user$.pipe(
    switchMap((user) =>
      user === null ? EMPTY : followAccount({ account: needs.account, updates$, online$, clock }),
    ),
  );
  for (const topic of topics) link.follow(topic);
  return {
    link,
    inbox,
    diagnose: makeDiagnose({
      http: needs.plainHttp,
      clock,
      isOnline: () => connectivity.online$.value,
      state: () => link.state$.value,
      history: () => link.history$.value,
    }),
    updates$,
    start: () => {
      const running = new Subscription();
      running.add(inbox.start());
      running.add(followed$.subscribe());
      running.add(makeNewAddress(needs).follow(needs.account.account$));
      running.add(
        link.state$.subscribe((state) =>
          state === "max-retries" ? banner.show(connectionLost) : banner.withdraw(connectionLost),
        ),
      );
      running.add(tabs.visible$.pipe(filter((isVisible) => isVisible)).subscribe(link.active));
      running.add(link.start());
      return running;
    },
  };
};
