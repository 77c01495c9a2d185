import { expect } from "chai";
import { Provider } from "../../../../server/features/oidc/provider.ts";
import { checkClient, checkProvider } from "../../../../server/features/operator/providerChecks.ts";
import { type IdentityProvider, startIdentityProvider } from "../../../support/identityProvider.ts";
import { type HostileProvider, startHostileProvider } from "../../support/hostileProvider.ts";
import { oidcConfigOf } from "../../support/signOn.ts";

const publicUrl = "https://mail.example.org";

describe("bauta doctor about the identity provider", () => {
  let real: IdentityProvider;
  let hostile: HostileProvider;

  before(async () => {
    real = await startIdentityProvider();
    await real.serve(publicUrl);
  });
  after(() => real.stop());
  beforeEach(async () => {
    hostile = await startHostileProvider();
  });
  afterEach(() => hostile.stop());

  const providerOf = (settings: Parameters<typeof oidcConfigOf>[0]) =>
    new Provider({ oidc: oidcConfigOf(settings), publicUrl, clock: Date });
  const clientChecks = (settings: Parameters<typeof oidcConfigOf>[0]) =>
    checkClient(providerOf(settings), { publicUrl, clientId: settings.clientId });

  it("says that it answers, that it accepts the client, and what to register", async () => {
    expect(await checkProvider(providerOf(real), real.issuer)).to.include({ state: "ok" });
    const [client, register] = await clientChecks(real);
    expect(client).to.include({ state: "ok", is: "bauta and its secret are accepted" });
    expect(register?.is).to.equal(
      `redirect URI ${publicUrl}/login/oidc/callback, back-channel logout URI ${publicUrl}/login/oidc/logout`,
    );
  });

  it("says that the client or its secret is refused", async () => {
    for (const wrong of [{ clientSecret: "another" }, { clientId: "unknown" }]) {
      const [client] = await clientChecks({ ...real, ...wrong });
      expect(client).to.include({ state: "problem" });
      expect(client?.advice).to.include("OIDC_CLIENT_SECRET");
    }
  });

  it("says what is wrong with the provider", async () => {
    const discovery = "/.well-known/openid-configuration";
    const found = async (answer: object) => {
      hostile.answers.set(discovery, answer);
      return checkProvider(providerOf(hostile), hostile.issuer);
    };
    expect(await found({ status: 503 })).to.include({ state: "problem" });
    expect((await found({ status: 503 })).is).to.include("answers 503");
    const symmetric = { body: { ...hostile.discovery(), id_token_signing_alg_values_supported: ["HS256"] } };
    expect(await found(symmetric)).to.include({ state: "problem" });
    const plain = { body: { ...hostile.discovery(), code_challenge_methods_supported: ["plain"] } };
    expect(await found(plain)).to.include({ state: "warning" });
    expect(await found({ body: hostile.discovery() })).to.include({ state: "ok" });
    hostile.answers.set("/token", { status: 400, body: { error: "invalid_request" } });
    const [client] = await clientChecks(hostile);
    expect(client).to.include({ state: "unknown" });
  });
});
