import type { FastifyInstance } from "fastify";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { getOperatorChecks, getOperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { createShared } from "../../platform/ops/shared.ts";
import { findUser } from "../../platform/store/users.ts";
import { readStoredFigures, type StoredFigures } from "./overview.ts";
import { findOwnAddresses } from "./ownAddresses.ts";

const operatorRequestsPerMinute = 30;
/** The figures of all users are counted at most this often. */
const figuresForMs = 10_000;
const ownAddressesForMs = 5 * minuteMs;

/** Registers the endpoints of the operator's page, which answer 403 to all other accounts. */
export const operatorRoutes =
  ({
    database,
    clock,
    health,
    installation,
    authGuard,
    config,
    dns,
  }: Pick<
    FeatureContext,
    "database" | "clock" | "health" | "installation" | "authGuard" | "config" | "dns"
  >) =>
  (fastify: FastifyInstance): void => {
    let counted: { readonly figures: StoredFigures; readonly at: number } | null = null;
    const ownAddresses = createShared(() => findOwnAddresses(dns, config), ownAddressesForMs, clock.now);
    const readFigures = async () => {
      const now = clock.now();
      if (counted === null || Math.abs(now - counted.at) >= figuresForMs)
        counted = { figures: await readStoredFigures(database, now, await ownAddresses()), at: now };
      return counted;
    };
    const assertOperator = async (userId: string): Promise<void> => {
      const user = await findUser(database.db, userId);
      if (!user) throw invalidSession();
      if (user.is_operator !== 1)
        throw new UseCaseError(
          "forbidden",
          "This page is for those who run the server. OPERATORS names their accounts.",
        );
    };
    const options = { perMinute: operatorRequestsPerMinute };

    routeSignedIn(
      fastify,
      authGuard,
      getOperatorOverview,
      async ({ auth }) => {
        await assertOperator(auth.userId);
        const { figures, at } = await readFigures();
        const { parts, problems } = await health();
        return {
          problems,
          health: Object.entries(parts).map(([part, isReady]) => ({ part, isReady })),
          ...figures,
          version: await installation.version(),
          asOf: new Date(at).toISOString(),
        };
      },
      options,
    );
    routeSignedIn(
      fastify,
      authGuard,
      getOperatorChecks,
      async ({ auth }) => {
        await assertOperator(auth.userId);
        return installation.checks();
      },
      options,
    );
  };
