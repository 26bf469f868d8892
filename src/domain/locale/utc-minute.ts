/** A time to the minute, the same in each language: `2026-07-01 09:30 UTC`. */
export function utcMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
