// The colour map viridis (Smith and van der Walt, 2015, in the public domain): even steps look even, also in grey and to the colour-blind.

/** Ten colours at equal distances along the map; in between they are mixed. */
const STOPS = [
  0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725,
];

export const COLOURS = 256;

/** 256 colours as r g b, each 0 to 1 as a screen shows them. */
export function viridis(): Float32Array {
  const table = new Float32Array(3 * COLOURS);
  for (let i = 0; i < COLOURS; i++) {
    const place = (i / (COLOURS - 1)) * (STOPS.length - 1);
    const stop = Math.min(Math.floor(place), STOPS.length - 2);
    for (let channel = 0; channel < 3; channel++) {
      const shift = 16 - 8 * channel;
      const from = (STOPS[stop] >> shift) & 255;
      const to = (STOPS[stop + 1] >> shift) & 255;
      table[3 * i + channel] = (from + (place - stop) * (to - from)) / 255;
    }
  }
  return table;
}
