type Sign = readonly [RegExp, string];

/** In this order: what calls itself by several names is known by the rarer one. */
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
 * "Firefox on Windows": the device that a User-Agent header speaks of, as far as it can be told. What is no browser is
 * called by its first word, "curl"; "Unknown device" when there is nothing to go by.
 */
export const deviceName = (userAgent: string): string => {
  const [browser, system] = [named(browsers, userAgent), named(systems, userAgent)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const known = browser ?? system;
  if (known !== undefined) return known;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? "Unknown device";
};
