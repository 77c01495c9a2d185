import { current } from "../../support/current.ts";
import { type StripeStandIn, startStripe } from "../../support/stripeStandIn.ts";
import { startServer, type TestServer } from "./startServer.ts";
import { requireStore, sqliteStore } from "./stores.ts";

/** A server that sells plans, and the Stripe it sells them through, at the same time of day. */
export interface PaidServer {
  readonly server: TestServer;
  readonly stripe: StripeStandIn;
}

/** A server that sells plans, for the tests of a `describe`; they are skipped where its store cannot be had. */
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
