import { lastItem } from '../errors.ts'
/** A key press on any front end. `key` is the character or the web’s name (`Enter`, `ArrowDown`). */
export interface KeyStroke {
  key: string
  /** Physical key (`KeyG`) if known, for keyboard layouts without Latin letters. */
  code?: string
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
  /** Absent if the platform can’t tell (terminals); the case of the letter then decides. */
  shiftKey?: boolean
  isComposing?: boolean
}

/** Decides which key `Mod` is, and how chords are displayed. */
export type Platform = 'mac' | 'other' | 'terminal'

const modifiers = ['Ctrl', 'Alt', 'Meta', 'Shift'] as const
type Modifier = (typeof modifiers)[number]

/**
 * Normalizes a chord: modifiers in fixed order, then the key. Letters keep their case unless another modifier is held, and characters that need
 * Shift have no Shift. `g s` stays a sequence of two.
 */
export function normalChord(chord: string, platform: Platform): string {
  const known = normalized[platform].get(chord)
  if (known !== undefined) return known
  const parts = chord.split(' ').map((part) => normalPart(part === '' ? ' ' : part, platform))
  normalized[platform].set(chord, parts.join(' '))
  return parts.join(' ')
}

/** Those of key tables: each press asks for all of them. */
const normalized: Readonly<Record<Platform, Map<string, string>>> = {
  mac: new Map(),
  other: new Map(),
  terminal: new Map(),
}

function normalPart(part: string, platform: Platform): string {
  const names = part.split('+')
  const key = part.endsWith('+') ? '+' : lastItem(names)
  const held = new Set(
    names.slice(0, -1).map((name) => (name === 'Mod' ? (platform === 'mac' ? 'Meta' : 'Ctrl') : name)) as Modifier[],
  )
  return spell(key === 'Space' ? 'Space' : key, held)
}

function spell(key: string, held: ReadonlySet<Modifier>): string {
  const isLetter = /^\p{L}$/u.test(key)
  const isChord = held.has('Ctrl') || held.has('Alt') || held.has('Meta')
  const isPrintable = [...key].length === 1
  const name = isLetter && isChord ? key.toLowerCase() : isLetter && held.has('Shift') ? key.toUpperCase() : key
  const shown = modifiers.filter(
    (modifier) => held.has(modifier) && (modifier !== 'Shift' || !isPrintable || (isLetter && isChord)),
  )
  return [...shown, name].join('+')
}

/** The normalized chord of a key press; null for a modifier alone and while composing. */
export function chordOf(stroke: KeyStroke): string | null {
  if (stroke.isComposing || ['Shift', 'Control', 'Alt', 'Meta', 'Dead', 'Process', 'AltGraph'].includes(stroke.key))
    return null
  const held = new Set<Modifier>()
  if (stroke.ctrlKey) held.add('Ctrl')
  if (stroke.altKey) held.add('Alt')
  if (stroke.metaKey) held.add('Meta')
  if (stroke.shiftKey) held.add('Shift')
  const key = stroke.key === ' ' ? 'Space' : latin(stroke)
  // Caps Lock inverts the case of the letter; trust Shift.
  return spell(stroke.shiftKey === false && /^\p{L}$/u.test(key) ? key.toLowerCase() : key, held)
}

function latin({ key, code = '', altKey = false }: KeyStroke): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  // With Alt a Mac types special characters: Alt+T is †.
  const isForeign = (altKey || /^\p{L}$/u.test(key)) && !/^[a-z]$/i.test(key)
  if (!isForeign || letter === undefined) return key
  return key === key.toLowerCase() ? letter.toLowerCase() : letter
}

/** Whether a chord may be meant as text: no modifier but Shift. */
export function isPlain(chord: string): boolean {
  return !/(^|\+| )(Ctrl|Alt|Meta|Mod)\+/.test(chord)
}

const names: Readonly<Record<string, Partial<Record<Platform, string>> & { other: string }>> = {
  Ctrl: { mac: '⌃', other: 'Ctrl', terminal: '⌃' },
  Alt: { mac: '⌥', other: 'Alt', terminal: 'alt-' },
  Meta: { mac: '⌘', other: 'Meta' },
  Shift: { mac: '⇧', other: 'Shift', terminal: '⇧' },
  Enter: { other: '↵' },
  Escape: { other: 'esc' },
  Delete: { mac: '⌦', other: 'Del', terminal: 'del' },
  Backspace: { other: '⌫' },
  Tab: { other: 'tab' },
  Space: { other: 'space' },
  ArrowUp: { other: '↑' },
  ArrowDown: { other: '↓' },
  ArrowLeft: { other: '←' },
  ArrowRight: { other: '→' },
  PageUp: { other: 'PgUp' },
  PageDown: { other: 'PgDn' },
}

/** Keys that keyboards label in the local language; texts at `ui.keycaps.<name>`. */
export const namedKeys = ['Ctrl', 'Shift', 'Delete', 'Space', 'Tab', 'PageUp', 'PageDown', 'Home', 'End'] as const
export type SayKey = (name: (typeof namedKeys)[number]) => string
const isNamed = (name: string): name is (typeof namedKeys)[number] => (namedKeys as readonly string[]).includes(name)

/** Formats a chord as keycaps, one text per key press: `⌘K`, `Ctrl+K`, `⌃k`, two for a sequence. `say` translates the names of keys. */
export function chordText(chord: string, platform: Platform, say?: SayKey): readonly string[] {
  return normalChord(chord, platform)
    .split(' ')
    .map((part) => {
      const parts = part === '+' ? ['+'] : part.split('+')
      const key = lastItem(parts)
      const isCap = parts.length > 1 && platform !== 'terminal' && key.length === 1
      const shown = [...parts.slice(0, -1), isCap ? key.toUpperCase() : key].map((name) =>
        say && platform === 'other' && isNamed(name)
          ? say(name)
          : (names[name]?.[platform] ?? names[name]?.other ?? name),
      )
      return shown.join(platform === 'other' ? '+' : '')
    })
}
