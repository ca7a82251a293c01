import { ports } from '../base/ports.ts'

export interface Choices {
  fontSize: number
  copyOnSelect: boolean
  /** Programs on the host may write to the clipboard (OSC 52). */
  hostClipboard: boolean
  screenReader: boolean
}

const key = 'terminal'
/** Product spec, section 2. */
export const normalFontSize = 16
const sizes = { least: 8, most: 40 }
const initial: Choices = { fontSize: normalFontSize, copyOnSelect: false, hostClipboard: false, screenReader: false }

export function readChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(ports.storage.get(key) ?? '{}')
    const { fontSize, ...flags } = { ...initial, ...(stored as Partial<Choices>) }
    return { ...flags, fontSize: toFontSize(Number(fontSize)) }
  } catch {
    return initial
  }
}

export function saveChoices(choices: Choices): void {
  ports.storage.set(key, JSON.stringify(choices))
}

export function toFontSize(size: number): number {
  return Number.isFinite(size) ? Math.min(sizes.most, Math.max(sizes.least, Math.round(size))) : normalFontSize
}
