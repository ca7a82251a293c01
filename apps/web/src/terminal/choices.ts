import { ports } from '../base/ports.ts'

/** What a person chose for all terminal windows of this browser. */
export interface Choices {
  /** px */
  fontSize: number
  copyOnSelect: boolean
  /** A program on the host may ask to write to the clipboard (OSC 52). */
  hostClipboard: boolean
  screenReader: boolean
}

const key = 'terminal'
/** The product spec's size (section 2). */
export const normalFontSize = 16
const sizes = { least: 8, most: 40 }
const initial: Choices = { fontSize: normalFontSize, copyOnSelect: false, hostClipboard: false, screenReader: false }

/** What was chosen before; what cannot be read is as if it had not been. */
export function readChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(ports.storage.get(key) ?? '{}')
    const { fontSize, ...flags } = { ...initial, ...(stored as Partial<Choices>) }
    return { ...flags, fontSize: toFontSize(Number(fontSize)) }
  } catch {
    return initial
  }
}

/** Keeps what was chosen. */
export function saveChoices(choices: Choices): void {
  ports.storage.set(key, JSON.stringify(choices))
}

/** A size that can be read and leaves room. */
export function toFontSize(size: number): number {
  return Number.isFinite(size) ? Math.min(sizes.most, Math.max(sizes.least, Math.round(size))) : normalFontSize
}
