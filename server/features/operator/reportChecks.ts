import {
  explainFailedMails,
  explainFailedTls,
  type ReceiverReports,
  reportFigureDays,
} from "../../../core/operator/receiverReports.ts";
import { type Check, ok, warning } from "./check.ts";

/** The sentences have their own full stop, and a check gets one. */
const asAdvice = (sentence: string): string => sentence.replace(/\.$/, "");

/** Checks what receivers report: whether they refuse mail that this server sent, or reach it without TLS. */
export const checkReceiverReports = ({ dmarc, tls }: ReceiverReports): Check => {
  const name = "reports of receivers";
  const count = dmarc.reports + tls.reports;
  if (count === 0) return ok(name, `none in ${reportFigureDays} days`);
  const own = dmarc.failed.find(({ isOwn, isProven }) => isOwn && isProven);
  if (own) {
    const sum = dmarc.failed
      .filter(({ isOwn, isProven }) => isOwn && isProven)
      .reduce((all, failed) => all + failed.count, 0);
    return warning(
      name,
      `${sum} mails of this server failed DMARC, at ${own.reporter}`,
      asAdvice(explainFailedMails(own)),
    );
  }
  const insecure = tls.failures.find(({ isProven }) => isProven);
  if (insecure)
    return warning(
      name,
      `${insecure.count} connections from ${insecure.reporter} failed: ${insecure.result}`,
      asAdvice(explainFailedTls(insecure)),
    );
  return ok(
    name,
    `${count} in ${reportFigureDays} days: ${dmarc.passed} of ${dmarc.mails} mails passed, ${tls.failed} of ${tls.connections} connections failed`,
  );
};
