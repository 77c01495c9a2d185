import { useEffect } from "react";
import { parseSignInLink } from "../../../../core/session/signIn/signInLink.ts";
import { useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";

/** Signs in with the link that opened the page, if it is one from the server's operator, and says why it does not work. */
export const LinkOpener = () => {
  const { signIn } = useApp();
  const { run, problem } = useFormAction(signIn.openLink);
  useEffect(() => {
    const link = parseSignInLink(window.location.hash);
    if (link === null) return;
    // The link works once: neither a reload nor the history shall open it again.
    window.history.replaceState(window.history.state, "", window.location.pathname);
    run(link);
  }, [run]);
  return <ProblemBanner problem={problem} />;
};
