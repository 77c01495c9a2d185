import type { BrowserContext } from "playwright-core";
import type { StripeStandIn } from "../../support/stripeStandIn.ts";

/** A substitute for Stripe's script: a form in a frame of Stripe's origin that reports to the page by messages. */
const script = `
window.Stripe = (publishableKey) => ({
  createEmbeddedCheckoutPage: async ({ clientSecret, onComplete }) => {
    const frame = document.createElement("iframe");
    frame.title = "Secure payment form";
    frame.style.width = "100%";
    frame.style.height = "320px";
    frame.style.border = "0";
    frame.src = "https://js.stripe.com/endive/embedded-checkout.html#" + publishableKey + "," + clientSecret;
    const hear = (event) => {
      if (event.origin === "https://js.stripe.com" && event.data === "complete") onComplete();
    };
    return {
      mount: (place) => {
        window.addEventListener("message", hear);
        place.append(frame);
      },
      destroy: () => {
        window.removeEventListener("message", hear);
        frame.remove();
      },
    };
  },
});
`;

const form = `<!doctype html>
<html lang="en"><head><title>Secure payment form</title></head>
<body style="background: white; color: black; font-family: sans-serif">
<main><h1>Card</h1>
<form><label>Card number <input inputmode="numeric" autocomplete="cc-number"></label>
<button style="background: #222; color: white; padding: 12px">Subscribe</button></form></main>
<script>
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  window.payAtStripe(location.hash.slice(1)).then(() => parent.postMessage("complete", "*"));
});
</script></body></html>`;

export interface StripesScript {
  /** Whether Stripe's hosts can be reached. */
  readonly setReachable: (isReachable: boolean) => void;
  /** The arguments of the opened forms: "publishable key,client secret". */
  readonly opened: readonly string[];
}

/** Intercepts requests to Stripe's hosts in a browser; subscribing in the form pays at the fake Stripe. */
export const serveStripesScript = async (
  context: BrowserContext,
  stripe: StripeStandIn,
): Promise<StripesScript> => {
  let isReachable = true;
  const opened: string[] = [];
  await context.exposeFunction("payAtStripe", (fragment: string) => {
    opened.push(fragment);
    const [, secret = ""] = fragment.split(",");
    stripe.pay(secret.replace(/_secret$/, ""));
  });
  await context.route("https://js.stripe.com/**", (route) => {
    if (!isReachable) return route.abort("connectionfailed");
    const isForm = route.request().url().includes("embedded-checkout.html");
    return isForm
      ? route.fulfill({ contentType: "text/html", body: form })
      : route.fulfill({ contentType: "text/javascript", body: script });
  });
  await context.route("https://billing.stripe.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Billing</title>" }),
  );
  return {
    setReachable: (reachable) => {
      isReachable = reachable;
    },
    opened,
  };
};
