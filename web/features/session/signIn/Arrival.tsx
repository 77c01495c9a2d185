import { useEffect, useState } from "react";
import { parseSignInLink } from "../../../../core/session/signIn/signInLink.ts";
import { parseSignOnArrival, signOnProblemText } from "../../../../core/session/signIn/singleSignOn.ts";
import { useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";

/** Goes on with what the address of the page brings: a link of the server's operator, or the way back from the identity provider. */
export const Arrival = () => {
  const { signIn, configuration } = useApp();
  const link = useFormAction(signIn.openLink);
  const ticket = useFormAction(signIn.openTicket);
  const [arrived] = useState(() => window.location.hash);
  const openLink = link.run;
  const openTicket = ticket.run;
  const signOn = parseSignOnArrival(arrived);
  useEffect(() => {
    // What it brings works once: neither a reload nor the history shall open it again.
    if (window.location.hash === arrived)
      window.history.replaceState(window.history.state, "", window.location.pathname);
    const signInLink = parseSignInLink(arrived);
    const fromProvider = parseSignOnArrival(arrived);
    if (signInLink !== null) openLink(signInLink);
    if (fromProvider?.kind === "ticket") openTicket(fromProvider.ticket);
  }, [arrived, openLink, openTicket]);
  const provider = configuration.singleSignOn;
  return (
    <>
      {signOn?.kind === "problem" && provider && (
        <Banner kind="error">{signOnProblemText(signOn.problem, provider)}</Banner>
      )}
      <ProblemBanner problem={link.problem ?? ticket.problem} />
    </>
  );
};
