import { firstItem } from '@qd/core/errors'

/** Chart lines; their signs tell them apart without color. */
export const lineRoles = ['line1', 'line2', 'line3', 'line4', 'line5'] as const

const colored = ['muted', 'accent', 'ok', 'warn', 'bad', 'rule', 'focus', 'marked', ...lineRoles] as const
const roles = [...colored, 'text', 'warnWord', 'bold', 'track', 'key'] as const

/**
 * Meaning of a piece of screen, by color depth (looks/tokens.md 8). `warnWord` is warning text but not a mark: yellow
 * is unreadable on white, so 16 colors use bold.
 */
export type Role = (typeof roles)[number]

export type Ground = 'dark' | 'light' | 'unknown'

export interface TextStyle {
  readonly color?: string
  readonly backgroundColor?: string
  readonly bold?: boolean
  readonly dimColor?: boolean
}

export type Theme = Readonly<Record<Role, TextStyle>>

const none: TextStyle = {}
const bold: TextStyle = { bold: true }
const dim: TextStyle = { dimColor: true }

const plain = Object.fromEntries(roles.map((role) => [role, none])) as Theme
const sixteen: Theme = {
  text: none,
  muted: dim,
  accent: { color: 'cyan' },
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  warnWord: bold,
  bad: { color: 'red' },
  bold,
  rule: dim,
  track: dim,
  key: bold,
  focus: bold,
  marked: bold,
  line1: { color: 'cyan' },
  line2: { color: 'magenta' },
  line3: { color: 'green' },
  line4: bold,
  line5: dim,
}

const themeOf = (colors: Readonly<Record<(typeof colored)[number], string>>): Theme => {
  const { focus, marked, ...inks } = colors
  const inked = Object.fromEntries(Object.entries(inks).map(([role, color]) => [role, { color }]))
  const words = { warnWord: { color: inks.warn }, track: { color: inks.rule }, bold, key: bold }
  return { ...plain, ...inked, ...words, focus: { backgroundColor: focus }, marked: { backgroundColor: marked } }
}

const dark256 = themeOf({
  muted: 'ansi256(247)',
  accent: 'ansi256(111)',
  ok: 'ansi256(78)',
  warn: 'ansi256(179)',
  bad: 'ansi256(210)',
  rule: 'ansi256(238)',
  focus: 'ansi256(236)',
  marked: 'ansi256(17)',
  line1: 'ansi256(69)',
  line2: 'ansi256(215)',
  line3: 'ansi256(80)',
  line4: 'ansi256(205)',
  line5: 'ansi256(245)',
})
const light256 = themeOf({
  muted: 'ansi256(241)',
  accent: 'ansi256(26)',
  ok: 'ansi256(29)',
  warn: 'ansi256(94)',
  bad: 'ansi256(124)',
  rule: 'ansi256(251)',
  focus: 'ansi256(254)',
  marked: 'ansi256(189)',
  line1: 'ansi256(26)',
  line2: 'ansi256(166)',
  line3: 'ansi256(31)',
  line4: 'ansi256(89)',
  line5: 'ansi256(243)',
})
const darkTrue = themeOf({
  muted: '#a5a9b1',
  accent: '#86abff',
  ok: '#4cc38a',
  warn: '#e5a93d',
  bad: '#ff8078',
  rule: '#33373e',
  focus: '#1b1d21',
  marked: '#172340',
  line1: '#6f9bff',
  line2: '#edac38',
  line3: '#4bdbe8',
  line4: '#f0559a',
  line5: '#8a8f98',
})
const lightTrue = themeOf({
  muted: '#555960',
  accent: '#2953cc',
  ok: '#0b6e49',
  warn: '#8a5300',
  bad: '#b62121',
  rule: '#d0d0ca',
  focus: '#f1f1ee',
  marked: '#e9effd',
  line1: '#2953cc',
  line2: '#d35b0d',
  line3: '#0b93bf',
  line4: '#98124e',
  line5: '#7b8089',
})

export interface Colouring {
  readonly colorDepth: 0 | 4 | 8 | 24
  readonly ground: Ground
}

/** With an unknown background, 16-color roles suit both. */
export function createTheme({ colorDepth, ground }: Colouring): Theme {
  if (colorDepth === 0) return plain
  if (colorDepth === 4 || ground === 'unknown') return sixteen
  if (colorDepth === 8) return ground === 'dark' ? dark256 : light256
  return ground === 'dark' ? darkTrue : lightTrue
}

export function styleOf(theme: Theme, roles: readonly Role[]): TextStyle {
  return roles.length === 1 ? theme[firstItem(roles)] : Object.assign({}, ...roles.map((role) => theme[role]))
}

const named: Readonly<Record<string, string>> = { cyan: '36', magenta: '35', green: '32', yellow: '33', red: '31' }

function codeOf(color: string, plane: 3 | 4): string {
  const number = /^ansi256\((\d+)\)$/.exec(color)?.[1]
  if (number) return `${plane}8;5;${number}`
  if (!color.startsWith('#')) return named[color]!
  return `${plane}8;2;${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(';')}`
}

export type Painter = (text: string, ...roles: readonly Role[]) => string

export function createPainter(theme: Theme): Painter {
  return (text, ...roles) => {
    const { dimColor, color, backgroundColor, bold } = styleOf(theme, roles)
    const codes = [
      dimColor ? '2' : '',
      color ? codeOf(color, 3) : '',
      backgroundColor ? codeOf(backgroundColor, 4) : '',
      bold ? '1' : '',
    ].filter(Boolean)
    return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`
  }
}

/** By OSC 11 (`rgb:RRRR/GGGG/BBBB`) or COLORFGBG; unknown without either. */
export function groundOf(answer: { osc11: string | null; colorfgbg: string | undefined }): Ground {
  const channels = /rgb:([0-9a-f]{2})[0-9a-f]*\/([0-9a-f]{2})[0-9a-f]*\/([0-9a-f]{2})/i.exec(answer.osc11 ?? '')
  if (channels) {
    const [red, green, blue] = channels.slice(1).map((channel) => Number.parseInt(channel, 16)) as [
      number,
      number,
      number,
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? 'dark' : 'light'
  }
  const last = answer.colorfgbg?.split(';').at(-1)
  if (last === undefined || !/^\d+$/.test(last)) return 'unknown'
  return Number(last) < 7 || Number(last) === 8 ? 'dark' : 'light'
}
