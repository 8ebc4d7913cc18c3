// Numbers with units as people read them: 0.0123 m is 12.3 mm, 250000 Pa is 250 kPa.

const PREFIXES: [number, string][] = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
];

/** Beside the largest number of a scale, smaller shares of it are rounding. */
const ROUNDING = 1e-6;

/** The prefix that suits numbers up to `largest`; it stands before the first unit, as in kJ/m³. */
export function prefix(largest: number, unit: string): { factor: number; unit: string } {
  const size = Math.abs(largest);
  if (!Number.isFinite(size) || size === 0) return { factor: 1, unit };
  const entry = PREFIXES.find(([factor]) => size >= factor * 0.9995) ?? PREFIXES[PREFIXES.length - 1];
  return { factor: entry[0], unit: entry[1] + unit };
}

/** Three significant digits, without an exponent where it can be avoided. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-4) return value.toExponential(1);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return value.toPrecision(2);
}

/** A value with its unit and a suitable prefix. */
export function quantity(value: number, unit: string): string {
  const scale = prefix(value, unit);
  return `${digits(value / scale.factor)} ${scale.unit}`;
}

/** The same without zeros at the end, for numbers that were chosen and not measured. */
export function shortly(value: number, unit: string): string {
  const scale = prefix(value, unit);
  return `${digits(value / scale.factor).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")} ${scale.unit}`;
}

/** Even steps from `lowest` to `highest`, both included; what is nothing beside the largest is zero, and of nothing at all one zero is left. */
export function ticks(lowest: number, highest: number, count: number): number[] {
  const largest = Math.max(Math.abs(lowest), Math.abs(highest));
  if (!(largest > 0)) return [0];
  const values = Array.from({ length: count }, (_, i) => lowest + ((highest - lowest) * i) / (count - 1));
  return values.map((value) => (Math.abs(value) < ROUNDING * largest ? 0 : value));
}

/** A speed as people say it: 1/4×, 1×, 2×. */
export function factor(value: number): string {
  return value > 0 && value < 1 && Number.isInteger(1 / value) ? `1/${1 / value}×` : `${Number.isInteger(value) ? value : digits(value)}×`;
}
