import { current } from "../../support/current.ts";
import { type StripeStandIn, startStripe } from "../../support/stripeStandIn.ts";
import { startServer, type TestServer } from "./startServer.ts";
import { requireStore, sqliteStore } from "./stores.ts";

/** A server that sells plans, and a stand-in for Stripe that uses the same clock. */
export interface PaidServer {
  readonly server: TestServer;
  readonly stripe: StripeStandIn;
}

/** Starts a server that sells plans for a `describe`; skips its tests when the store is unavailable. */
export const usePaidServer = (store = sqliteStore): PaidServer => {
  let server: TestServer | undefined;
  let stripe: StripeStandIn | undefined;
  before(async function () {
    await requireStore(store).call(this);
    stripe = await startStripe();
    server = await startServer({ store, billing: stripe.billing });
    stripe.setClock(server.clock.now);
  });
  after(async () => {
    await server?.stop();
    await stripe?.stop();
  });
  return { server: current(() => server), stripe: current(() => stripe) };
};
