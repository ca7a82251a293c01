/** A day without a failure halves what is counted (behaviour S-02). */
const calmSeconds = 86_400

/** How long an address is blocked after its newest failure, by failures under all identifiers (contract engines 8.3). */
export const banSeconds = (failures: number): number => (failures === 0 ? 0 : Math.max(3, failures ** 4))

/** What is left of a count: it is halved by each day after the block that it made by itself has ended. `at` and `now` in epoch seconds. */
export function leftOf(count: number, at: number, now: number): number {
  const days = Math.floor((now - at - banSeconds(count)) / calmSeconds)
  return days <= 0 ? count : Math.floor(count / 2 ** days)
}
