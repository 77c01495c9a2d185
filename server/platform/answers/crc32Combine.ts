/** x^(2^n) modulo the polynomial of CRC-32, bit-reversed, for n from 0 to 31. */
const powers: number[] = [];

const polynomial = 0xedb88320;
const one = 0x80000000;

/** Multiplies two bit-reversed polynomials modulo that of CRC-32. */
const multiply = (a: number, b: number): number => {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
};

for (let power = one >>> 1; powers.length < 32; power = multiply(power, power)) powers.push(power);

/** Returns what a CRC-32 is multiplied with when `length` bytes follow. */
export const shiftOf = (length: number): number => {
  let shift = one;
  // 8 bits a byte: 2^3.
  for (let [rest, n] = [length, 3]; rest > 0; rest = Math.floor(rest / 2), n += 1)
    if (rest % 2 === 1) shift = multiply(powers[n % 32] ?? one, shift);
  return shift;
};

/** Returns the CRC-32 of bytes followed by others, of the CRC-32 of both and the shift of the latter's length. */
export const combineCrc32 = (first: number, second: number, shift: number): number =>
  (multiply(shift, first) ^ second) >>> 0;
