import { expect } from "chai";
import webPush from "web-push";
import { encryptPush } from "../../../../server/features/push/encryptPush.ts";
import { isPublicKey } from "../../../../server/features/push/pushSubscription.ts";
import { decryptPush, readProof } from "../../support/pushService.ts";

/** The keys and the message of RFC 8291, 5 and Appendix A. */
const browser = {
  privateKey: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};
const message =
  "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
const text = "When I grow up, I want to be a watermelon";

const endpoint = "https://push.example/device/1";

describe("A push notification", () => {
  const send = async () => {
    const keys = webPush.generateVAPIDKeys();
    const delivery = { keys, contact: "https://bauta.example", keptForMs: 90_500 };
    return { keys, request: await encryptPush({ endpoint, ...browser }, text, delivery) };
  };

  it("is read by the tests as RFC 8291 says, with its own example", () => {
    expect(decryptPush(Buffer.from(message, "base64url"), browser)).to.equal(text);
  });

  it("is encrypted so that the browser of the RFC's example reads it, and differs each time", async () => {
    const [one, other] = [await send(), await send()];
    for (const { request } of [one, other]) expect(decryptPush(request.body, browser)).to.equal(text);
    expect(one.request.body.equals(other.request.body)).to.equal(false);
    expect(one.request.body.toString("latin1")).not.to.contain("watermelon");
    const damaged = Buffer.from(one.request.body);
    damaged.writeUInt8(damaged.readUInt8(100) ^ 1, 100);
    expect(() => decryptPush(damaged, browser)).to.throw();
  });

  it("proves who sends it to this push service alone, and says how long it is kept", async () => {
    const { keys, request } = await send();
    const { headers } = request;
    expect(headers).to.include({ "content-encoding": "aes128gcm", ttl: "90", urgency: "high" });
    const { exp, ...proof } = readProof(headers["Authorization"] ?? "");
    expect(proof).to.deep.equal({
      key: keys.publicKey,
      aud: "https://push.example",
      sub: "https://bauta.example",
    });
    expect(exp).to.be.a("number");
  });

  it("goes to keys that are points of the curve alone", () => {
    expect(isPublicKey(browser.p256dh)).to.equal(true);
    expect(isPublicKey("A".repeat(87))).to.equal(false);
    expect(isPublicKey(`${browser.p256dh.slice(0, -2)}AA`)).to.equal(false);
  });
});
