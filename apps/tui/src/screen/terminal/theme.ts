import type { Tone } from '@qd/core/define'

/** Chart lines; their signs tell them apart without color. */
export const lineRoles = ['line1', 'line2', 'line3', 'line4', 'line5'] as const

/** On a dark and a light ground, with 256 colors and with all (looks/tokens.md 8). */
const colors = {
  muted: [247, 241, 0xa5a9b1, 0x555960],
  accent: [111, 26, 0x86abff, 0x2953cc],
  ok: [78, 29, 0x4cc38a, 0x0b6e49],
  warn: [179, 94, 0xe5a93d, 0x8a5300],
  bad: [210, 124, 0xff8078, 0xb62121],
  rule: [238, 251, 0x33373e, 0xd0d0ca],
  focus: [236, 254, 0x1b1d21, 0xf1f1ee],
  marked: [17, 189, 0x172340, 0xe9effd],
  line1: [69, 26, 0x6f9bff, 0x2953cc],
  line2: [215, 166, 0xedac38, 0xd35b0d],
  line3: [80, 31, 0x4bdbe8, 0x0b93bf],
  line4: [205, 89, 0xf0559a, 0x98124e],
  line5: [245, 243, 0x8a8f98, 0x7b8089],
} as const

type Colored = keyof typeof colors

/**
 * Meaning of a piece of screen: a tone, or another. `warnWord` is warning text but not a mark: yellow is unreadable on
 * white, so 16 colors use bold.
 */
export type Role = Colored | Tone | 'warnWord' | 'bold' | 'track' | 'key'

export type Ground = 'dark' | 'light' | 'unknown'

/** Parameters of Select Graphic Rendition. Source: ECMA-48. */
interface Look {
  readonly dim?: '2'
  readonly ink?: string
  readonly ground?: string
  readonly bold?: '1'
}

type Theme = Readonly<Partial<Record<Role, Look>>>

const bold: Look = { bold: '1' }
const dim: Look = { dim: '2' }
const ink = (code: string): Look => ({ ink: code })
const [red, green, yellow, magenta, cyan] = [ink('31'), ink('32'), ink('33'), ink('35'), ink('36')]

const sixteen: Theme = {
  ...{ muted: dim, accent: cyan, ok: green, warn: yellow, warnWord: bold, bad: red, bold },
  ...{ rule: dim, track: dim, key: bold, focus: bold, marked: bold },
  ...{ line1: cyan, line2: magenta, line3: green, line4: bold, line5: dim },
}

function coloredTheme(depth: 8 | 24, ground: 'dark' | 'light'): Theme {
  const lookOf = (role: Colored): Look => {
    const color = colors[role][(depth === 8 ? 0 : 2) + (ground === 'dark' ? 0 : 1)]!
    const code = depth === 8 ? `5;${color}` : `2;${color >> 16};${(color >> 8) & 255};${color & 255}`
    return role === 'focus' || role === 'marked' ? { ground: `48;${code}` } : ink(`38;${code}`)
  }
  const looks = Object.fromEntries((Object.keys(colors) as Colored[]).map((role) => [role, lookOf(role)]))
  return { ...looks, warnWord: lookOf('warn'), track: lookOf('rule'), bold, key: bold }
}

export interface Colouring {
  readonly colorDepth: 0 | 4 | 8 | 24
  readonly ground: Ground
}

/** With an unknown background, 16-color roles suit both. */
function themeOf({ colorDepth, ground }: Colouring): Theme {
  if (colorDepth === 0) return {}
  return colorDepth === 4 || ground === 'unknown' ? sixteen : coloredTheme(colorDepth, ground)
}

/** The codes of roles, of which a later one wins: `38;5;210;1`; empty without any. */
export function createCodes(colouring: Colouring): (roles: readonly Role[]) => string {
  const theme = themeOf(colouring)
  const known = new Map<string, string>()
  return (roles) => {
    const key = roles.join()
    const codes = known.get(key)
    if (codes !== undefined) return codes
    const { dim, ink, ground, bold }: Look = Object.assign({}, ...roles.map((role) => theme[role]))
    const made = [dim, ink, ground, bold].filter(Boolean).join(';')
    known.set(key, made)
    return made
  }
}

/** By OSC 11 (`rgb:RRRR/GGGG/BBBB`) or COLORFGBG; unknown without either. */
export function groundOf(answer: { osc11: string | null; colorfgbg: string | undefined }): Ground {
  const found = /rgb:([0-9a-f]{2})[0-9a-f]*\/([0-9a-f]{2})[0-9a-f]*\/([0-9a-f]{2})/i.exec(answer.osc11 ?? '')
  if (found) {
    const [red = 0, green = 0, blue = 0] = found.slice(1).map((channel) => Number.parseInt(channel, 16))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? 'dark' : 'light'
  }
  const last = answer.colorfgbg?.split(';').at(-1)
  if (last === undefined || !/^\d+$/.test(last)) return 'unknown'
  return Number(last) < 7 || Number(last) === 8 ? 'dark' : 'light'
}
