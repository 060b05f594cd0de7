/** Formats USD cents as `$1,234.56`, without floating point. Null is shown as unknown, never as zero. */
export function dollars(cents: number | bigint | null): string {
  if (cents === null) return "unknown";
  if (cents < 0) return `−${dollars(-cents)}`;
  const digits = String(cents).padStart(3, "0");
  return `$${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

/** Formats a whole number with grouped thousands: `12,345`. */
export function grouped(count: number | bigint | string) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
