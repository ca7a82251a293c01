/** A safe non-negative integer; else undefined, so that one odd line can’t stop a report. */
export const toCount = (text: string | undefined): number | undefined => {
  const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** The wire has no fractions and no unknowns. */
export const toWire = (value: number | undefined): bigint =>
  value !== undefined && Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n
