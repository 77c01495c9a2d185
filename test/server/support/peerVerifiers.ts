import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What another program says of a mail: a verdict for each DKIM signature it knows, and that of ARC, null without ARC. */
interface PeerVerdict {
  readonly dkim: readonly string[];
  readonly arc: string | null;
}

/** Key records by name. */
type KeyRecords = Readonly<Record<string, string>>;

interface PeerVerifier {
  /** The Debian package. */
  readonly name: string;
  readonly isInstalled: () => boolean;
  readonly verify: (content: Buffer, records: KeyRecords) => PeerVerdict;
}

const runs = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

const withFolder = <A>(use: (folder: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-peer-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const runScript = (program: string, flag: string, script: string) => (content: Buffer, records: KeyRecords) =>
  JSON.parse(
    execFileSync(program, [flag, script, JSON.stringify(records)], { input: content }).toString(),
  ) as PeerVerdict;

const python = `
import sys, json, dkim
records = json.loads(sys.argv[1])
lookup = lambda name, timeout=5: records[(name.decode() if isinstance(name, bytes) else name).rstrip(".")].encode()
mail = sys.stdin.buffer.read()
verifier = dkim.DKIM(mail)
count = sum(1 for name, value in verifier.headers if name.lower() == b"dkim-signature")
def verdict(n):
    try: return "pass" if verifier.verify(idx=n, dnsfunc=lookup) else "fail"
    except dkim.ValidationError: return "fail"
results = [verdict(n) for n in range(count)]
print(json.dumps({"dkim": results, "arc": dkim.arc_verify(mail, dnsfunc=lookup)[0].decode()}))
`;

const perl = `
use strict; use JSON::PP; use Mail::DKIM::Verifier; use Mail::DKIM::ARC::Verifier;
my $records = decode_json($ARGV[0]);
package Record; sub type { "TXT" } sub txtdata { \${$_[0]} } sub char_str_list { \${$_[0]} }
package main;
no warnings "redefine";
*Mail::DKIM::DNS::query = sub { my $value = $records->{$_[0]}; $value ? (bless \\$value, "Record") : () };
binmode STDIN; local $/; my $mail = <STDIN>;
my ($dkim, $arc) = (Mail::DKIM::Verifier->new(), Mail::DKIM::ARC::Verifier->new());
for ($dkim, $arc) { $_->PRINT($mail); $_->CLOSE; }
print encode_json({ dkim => [map { $_->result } grep { $_->algorithm =~ /^rsa/ } $dkim->signatures], arc => $arc->result });
`;

const opendkim = (content: Buffer, records: KeyRecords): PeerVerdict =>
  withFolder((folder) => {
    const [mail, keys, settings] = ["mail.eml", "keys", "settings"].map((name) => join(folder, name));
    if (!mail || !keys || !settings) return { dkim: [], arc: null };
    writeFileSync(mail, content);
    writeFileSync(
      keys,
      Object.entries(records)
        .map(([name, value]) => `${name} ${value}\n`)
        .join(""),
    );
    writeFileSync(settings, `Mode v\nTestPublicKeys ${keys}\n`);
    const { stdout, stderr } = spawnSync("opendkim", ["-t", mail, "-x", settings], { encoding: "utf8" });
    const said = `${stdout}${stderr}`;
    return { dkim: /verification \(s=[^)]*\) succeeded/.test(said) ? ["pass"] : [said], arc: null };
  });

/** Programs of others that check signatures and seals. */
export const peerVerifiers: readonly PeerVerifier[] = [
  {
    name: "python3-dkim",
    isInstalled: () => runs("/usr/bin/python3", ["-c", "import dkim"]),
    verify: runScript("/usr/bin/python3", "-c", python),
  },
  {
    name: "libmail-dkim-perl",
    isInstalled: () => runs("perl", ["-MMail::DKIM::ARC::Verifier", "-e", "1"]),
    verify: runScript("perl", "-e", perl),
  },
  { name: "opendkim", isInstalled: () => runs("opendkim", ["-V"]), verify: opendkim },
];
