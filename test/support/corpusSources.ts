interface Source {
  readonly name: string;
  /** The public home of the project that wrote it. */
  readonly home: string;
  readonly license: string;
}

/** The corpora that tests read, by their folder in CORPORA_DIR. */
export const corpusSources = {
  "auth/dmarc-rspamd": {
    name: "DMARC mails of Rspamd",
    home: "https://github.com/rspamd/rspamd",
    license: "Apache-2.0",
  },
  "auth/spf": {
    name: "SPF test suite of RFC 7208",
    home: "https://github.com/sdgathman/pyspf",
    license: "BSD-3-Clause",
  },
  "bounces/enmime-dsn": {
    name: "bounces of enmime",
    home: "https://github.com/jhillyerd/enmime",
    license: "MIT",
  },
  "bounces/sisimai": {
    name: "bounces of Sisimai",
    home: "https://github.com/sisimai/set-of-emails",
    license: "BSD-2-Clause",
  },
  "email-address/egulias": {
    name: "addresses of EmailValidator",
    home: "https://github.com/egulias/EmailValidator",
    license: "MIT",
  },
  "email-address/isemail": {
    name: "addresses of isemail",
    home: "https://github.com/dominicsayers/isemail",
    license: "BSD-3-Clause",
  },
  "json/nst": {
    name: "JSON test suite",
    home: "https://github.com/nst/JSONTestSuite",
    license: "MIT",
  },
  "mime/cpython": {
    name: "mails of Python",
    home: "https://github.com/python/cpython",
    license: "PSF-2.0",
  },
  "mime/enmime": {
    name: "mails of enmime",
    home: "https://github.com/jhillyerd/enmime",
    license: "MIT",
  },
  "mime/mime4j-testmsgs": {
    name: "mails of Apache James Mime4j",
    home: "https://github.com/apache/james-mime4j",
    license: "Apache-2.0",
  },
  "mime/postal-mime": {
    name: "mails of postal-mime",
    home: "https://github.com/postalsys/postal-mime",
    license: "MIT-0",
  },
  "mime/ruby-mail": {
    name: "mails of Ruby's Mail",
    home: "https://github.com/mikel/mail",
    license: "MIT",
  },
  "mime/stalwart-rfc": {
    name: "mails of Stalwart's mail-parser",
    home: "https://github.com/stalwartlabs/mail-parser",
    license: "MIT or Apache-2.0",
  },
  redos: {
    name: "slow patterns of three detectors",
    home: "https://github.com/davisjam/vuln-regex-detector, https://github.com/doyensec/regexploit, https://github.com/makenowjust-labs/recheck",
    license: "MIT, Apache-2.0, MIT",
  },
  "smtp-smuggling": {
    name: "SMTP smuggling sequences",
    home: "https://github.com/The-Login/SMTP-Smuggling-Tools",
    license: "MIT",
  },
  "strings/blns": {
    name: "Big List of Naughty Strings",
    home: "https://github.com/minimaxir/big-list-of-naughty-strings",
    license: "MIT",
  },
  websocket: {
    name: "UTF-8 sequences of Autobahn",
    home: "https://github.com/crossbario/autobahn-testsuite",
    license: "Apache-2.0",
  },
  "xss/h5sc": {
    name: "HTML5 Security Cheatsheet",
    home: "https://github.com/cure53/H5SC",
    license: "MPL-2.0",
  },
} as const satisfies Readonly<Record<string, Source>>;

/** A corpus, named by its folder in CORPORA_DIR. */
export type Corpus = keyof typeof corpusSources;

/** Describes what is missing: for a corpus its name, its folder, where to get it and its license. */
export const describeMissing = (missing: string): string => {
  const source = Object.hasOwn(corpusSources, missing) ? corpusSources[missing as Corpus] : undefined;
  return source === undefined
    ? missing
    : `${source.name} (CORPORA_DIR/${missing}, from ${source.home}, ${source.license})`;
};
