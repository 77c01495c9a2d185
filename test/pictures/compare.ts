import { type Pixels, readPng, writePng } from "./png.ts";

/** Pictures are compared by the mean colors of squares of so many pixels, which another smoothing of edges hardly changes. */
const side = 4;

/** By so much of 255 the mean of a square may differ in a channel. */
const tolerance = 12;

/** So many squares may differ by more: less than a word that moves. */
const toleratedSquares = 12;

type Color = readonly [red: number, green: number, blue: number];

const meanAt = ({ width, height, bytes }: Pixels, left: number, top: number): Color => {
  const sum = [0, 0, 0];
  let count = 0;
  for (let y = top; y < Math.min(top + side, height); y += 1)
    for (let x = left; x < Math.min(left + side, width); x += 1) {
      count += 1;
      for (let channel = 0; channel < 3; channel += 1)
        sum[channel] = (sum[channel] ?? 0) + (bytes[(y * width + x) * 3 + channel] ?? 0);
    }
  const [red = 0, green = 0, blue = 0] = sum.map((one) => one / count);
  return [red, green, blue];
};

const isNear = (one: Color, other: Color): boolean =>
  one.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) <= tolerance);

/** The picture that was taken, pale, with what differs in red. */
const marked = (pixels: Pixels, squares: readonly (readonly [left: number, top: number])[]): Pixels => {
  const bytes = pixels.bytes.map((value) => 191 + (value >> 2));
  for (const [left, top] of squares)
    for (let y = top; y < Math.min(top + side, pixels.height); y += 1)
      for (let x = left; x < Math.min(left + side, pixels.width); x += 1)
        bytes.set([220, 0, 60], (y * pixels.width + x) * 3);
  return { ...pixels, bytes };
};

/** How two pictures differ, in words and as a picture. */
export interface PictureDifference {
  readonly text: string;
  readonly picture: Buffer;
}

/** Compares a picture with the accepted one; `undefined` when nobody would see a difference. */
export const differenceOf = (accepted: Buffer, taken: Buffer): PictureDifference | undefined => {
  const [before, now] = [readPng(accepted), readPng(taken)];
  if (before.width !== now.width || before.height !== now.height)
    return {
      text: `it is ${now.width} × ${now.height} pixels, not ${before.width} × ${before.height}`,
      picture: taken,
    };
  const squares: (readonly [number, number])[] = [];
  for (let top = 0; top < now.height; top += side)
    for (let left = 0; left < now.width; left += side)
      if (!isNear(meanAt(before, left, top), meanAt(now, left, top))) squares.push([left, top]);
  if (squares.length <= toleratedSquares) return undefined;
  return {
    text: `${squares.length} squares of ${side} × ${side} pixels differ`,
    picture: writePng(marked(now, squares)),
  };
};
