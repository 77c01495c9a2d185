import type { Departure } from "./departure.ts";

/** Keeps in `outbox` what is for the installation's own `postmaster` address, and sends everything else. */
export const postmasterDeparture = (
  postmaster: string,
  { sending, outbox }: { readonly sending: Departure; readonly outbox: Departure },
): Departure => ({
  send: (mail) => (mail.recipient === postmaster ? outbox : sending).send(mail),
  abandon: () => {
    sending.abandon();
    outbox.abandon();
  },
});
