/** The whole number that a text says, not below 0 and exact; undefined for anything else, so that one odd line cannot stop a report. */
export const toCount = (text: string | undefined): number | undefined => {
  const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** A number for the wire, which knows neither fractions of bytes nor the unknown. */
export const toWire = (value: number | undefined): bigint =>
  value !== undefined && Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n
