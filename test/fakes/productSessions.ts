import { hourMs } from "../../core/kernel/durations.ts";
import type { OpenSession } from "../../core/session/openSessionEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

const createOpenSession = (id: string, more: Partial<OpenSession> = {}): OpenSession => ({
  id,
  current: false,
  userAgent:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  createdAt: new Date(startsAt - 48 * hourMs).toISOString(),
  lastUsedAt: new Date(startsAt - 3 * hourMs).toISOString(),
  ...more,
});

/** The sessions of the product's user, as the server keeps them. */
export interface ProductSessions {
  readonly all: () => readonly OpenSession[];
  readonly set: (sessions: readonly OpenSession[]) => void;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

export const serveSessions = (
  server: FakeHttp,
  authorised: Authorise,
  { revokeTokens }: { readonly revokeTokens: () => void },
): ProductSessions => {
  let sessions: readonly OpenSession[] = [
    createOpenSession("here", {
      current: true,
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      lastUsedAt: new Date(startsAt).toISOString(),
    }),
    createOpenSession("phone"),
    createOpenSession("script", { userAgent: "curl/8.5.0" }),
  ];
  server.on(
    "GET",
    "/account/sessions",
    authorised(() => ({ json: { sessions } })),
  );
  server.on(
    "DELETE",
    "/account/sessions",
    authorised(({ url }) => {
      if (url.endsWith("?apiTokens=true")) revokeTokens();
      const ended = sessions.filter(({ current }) => !current).length;
      sessions = sessions.filter(({ current }) => current);
      return { json: { ended } };
    }),
  );
  server.on(
    "DELETE",
    "/account/sessions/:id",
    authorised(({ params }) => {
      const before = sessions.length;
      sessions = sessions.filter(({ id }) => id !== params["id"]);
      return sessions.length < before
        ? { json: {} }
        : { status: 404, json: { message: "This session has ended already." } };
    }),
  );
  return {
    all: () => sessions,
    set: (next) => {
      sessions = next;
    },
  };
};
