/**
 * Formats USD cents as `$1,234.56`, digit by digit: no amount passes through a fraction. Null is unknown and never zero.
 * @param {number | null} cents
 * @returns {string}
 */
export function dollars(cents) {
  if (cents === null) return "unknown";
  if (cents < 0) return `−${dollars(-cents)}`;
  const digits = String(cents).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `$${whole}.${digits.slice(-2)}`;
}
