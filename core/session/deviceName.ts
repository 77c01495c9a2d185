type Sign = readonly [RegExp, string];

/** Ordered from rare to common, because a User-Agent contains the names of several browsers. */
const browsers: readonly Sign[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera|OPiOS|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bDuckDuckGo\//, "DuckDuckGo"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chromium|Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly Sign[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\b(Macintosh|Mac OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const named = (signs: readonly Sign[], userAgent: string): string | undefined =>
  signs.find(([sign]) => sign.test(userAgent))?.[1];

/**
 * Returns a name for the device that sent a User-Agent header, as in "Firefox on Windows". Other clients are named by
 * the first word ("curl"); without any it is "Unknown device".
 */
export const deviceName = (userAgent: string): string => {
  const browser = named(browsers, userAgent);
  const system = named(systems, userAgent);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const known = browser ?? system;
  if (known !== undefined) return known;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? "Unknown device";
};
