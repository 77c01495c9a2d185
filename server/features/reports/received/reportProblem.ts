/** Bytes of an unpacked report; one of a year's mail of a large domain has less. */
export const maxReportBytes = 10 * 1024 * 1024;

/** How much a report may be compressed; XML of many similar records is about 30 times. */
export const maxReportRatio = 200;

/** The reasons for which a report of a receiver is not taken: the word for the log, and the sentence for its sender. */
export const reportProblems = {
  "no-report":
    "This mail has no attachment that is a report of DMARC (XML) or TLS (JSON), plain, gzip or zip",
  "several-files": "The zip file of this report has more than one file",
  "not-readable": "The attachment of this report is damaged, encrypted or of another format",
  "too-large": `This report is larger than ${maxReportBytes / 1024 ** 2} MB, or compressed more than ${maxReportRatio} times`,
  "has-dtd": "The XML of this report has a document type, which reports do not need",
  "not-xml": "The XML of this report is not well-formed",
  "not-json": "The JSON of this report cannot be read",
  "too-deep": "The XML of this report is nested too deeply",
  "too-many": "This report has too many records",
  incomplete: "This report does not name its domain, reporter, id and time",
  "other-domain": "This report is not about a domain of this server",
  "too-slow": "This report could not be read in time; try again later",
} as const;

export type ReportProblem = keyof typeof reportProblems;

export const reportProblemNames = Object.keys(reportProblems) as readonly ReportProblem[];

/** Ends the reading of a report. */
export class UnreadableReport extends Error {
  readonly problem: ReportProblem;

  constructor(problem: ReportProblem) {
    super(problem);
    this.problem = problem;
  }
}
