const base = 36;
const leastThreshold = 1;
const mostThreshold = 26;
const skew = 38;
const damp = 700;
const firstBias = 72;
const firstCode = 0x80;

const digitOf = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22);

const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = isFirst ? Math.floor(delta / damp) : delta >> 1;
  let k = 0;
  for (rest += Math.floor(rest / points); rest > ((base - leastThreshold) * mostThreshold) >> 1; k += base)
    rest = Math.floor(rest / (base - leastThreshold));
  return k + Math.floor(((base - leastThreshold + 1) * rest) / (rest + skew));
};

/** Writes an integer of variable length (RFC 3492, 3.3). */
const encodeDelta = (delta: number, bias: number): string => {
  let rest = delta;
  let text = "";
  for (let k = base; ; k += base) {
    const threshold = Math.min(Math.max(k - bias, leastThreshold), mostThreshold);
    if (rest < threshold) return text + digitOf(rest);
    text += digitOf(threshold + ((rest - threshold) % (base - threshold)));
    rest = Math.floor((rest - threshold) / (base - threshold));
  }
};

/** Returns a label of a domain in Punycode (RFC 3492, 6.3), without "xn--". The label has at most 254 characters. */
export const punycode = (label: string): string => {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const plain = points.filter((point) => point < firstCode);
  let text = String.fromCharCode(...plain) + (plain.length > 0 ? "-" : "");
  let handled = plain.length;
  let delta = 0;
  let bias = firstBias;
  let code = firstCode;
  while (handled < points.length) {
    const least = Math.min(...points.filter((point) => point >= code));
    delta += (least - code) * (handled + 1);
    for (const point of points) {
      if (point < least) delta += 1;
      if (point !== least) continue;
      text += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === plain.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    code = least + 1;
  }
  return text;
};
