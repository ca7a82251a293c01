/**
 * What a piece of the screen is, whatever colours the terminal has (looks/tokens.md 8). `warnWord` is anything in the warning
 * colour but a mark: yellow is unreadable on white, so that 16 colours make it bold.
 */
export type Role =
  | 'text'
  | 'muted'
  | 'accent'
  | 'ok'
  | 'warn'
  | 'warnWord'
  | 'bad'
  | 'bold'
  | 'rule'
  | 'track'
  | 'key'
  | 'focus'
  | 'marked'

/** The ground a terminal draws on, as far as it told; unknown takes colours that are readable on both. */
export type Ground = 'dark' | 'light' | 'unknown'

type Paint = Readonly<Record<Role, string>>

const plain: Paint = {
  text: '',
  muted: '',
  accent: '',
  ok: '',
  warn: '',
  warnWord: '',
  bad: '',
  bold: '',
  rule: '',
  track: '',
  key: '',
  focus: '',
  marked: '',
}
const sixteen: Paint = {
  text: '',
  muted: '2',
  accent: '36',
  ok: '32',
  warn: '33',
  warnWord: '1',
  bad: '31',
  bold: '1',
  rule: '2',
  track: '2',
  key: '1',
  focus: '1',
  marked: '1',
}
const dark256: Paint = {
  text: '',
  muted: '38;5;247',
  accent: '38;5;111',
  ok: '38;5;78',
  warn: '38;5;179',
  warnWord: '38;5;179',
  bad: '38;5;210',
  bold: '1',
  rule: '38;5;238',
  track: '38;5;238',
  key: '1',
  focus: '48;5;236',
  marked: '48;5;17',
}
const light256: Paint = {
  text: '',
  muted: '38;5;241',
  accent: '38;5;26',
  ok: '38;5;29',
  warn: '38;5;94',
  warnWord: '38;5;94',
  bad: '38;5;124',
  bold: '1',
  rule: '38;5;251',
  track: '38;5;251',
  key: '1',
  focus: '48;5;254',
  marked: '48;5;189',
}

const rgb = (hex: string, plane: 38 | 48) =>
  `${plane};2;${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')}`

const darkTrue: Paint = {
  text: '',
  muted: rgb('#a5a9b1', 38),
  accent: rgb('#86abff', 38),
  ok: rgb('#4cc38a', 38),
  warn: rgb('#e5a93d', 38),
  warnWord: rgb('#e5a93d', 38),
  bad: rgb('#ff8078', 38),
  bold: '1',
  rule: rgb('#33373e', 38),
  track: rgb('#33373e', 38),
  key: '1',
  focus: rgb('#1b1d21', 48),
  marked: rgb('#172340', 48),
}
const lightTrue: Paint = {
  text: '',
  muted: rgb('#555960', 38),
  accent: rgb('#2953cc', 38),
  ok: rgb('#0b6e49', 38),
  warn: rgb('#8a5300', 38),
  warnWord: rgb('#8a5300', 38),
  bad: rgb('#b62121', 38),
  bold: '1',
  rule: rgb('#d0d0ca', 38),
  track: rgb('#d0d0ca', 38),
  key: '1',
  focus: rgb('#f1f1ee', 48),
  marked: rgb('#e9effd', 48),
}

/** Colours text by role; several roles add up. */
export type Painter = (text: string, ...roles: readonly Role[]) => string

/** The painter for a terminal of that depth (bits per cell, 0 none) and ground. Where the ground is unknown the 16-colour roles suit both. */
export function createPainter({ colorDepth, ground }: { colorDepth: 0 | 4 | 8 | 24; ground: Ground }): Painter {
  const paint = paintFor(colorDepth, ground)
  return (text, ...roles) => {
    const codes = roles.map((role) => paint[role]).filter(Boolean)
    return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`
  }
}

function paintFor(colorDepth: 0 | 4 | 8 | 24, ground: Ground): Paint {
  if (colorDepth === 0) return plain
  if (colorDepth === 4 || ground === 'unknown') return sixteen
  if (colorDepth === 8) return ground === 'dark' ? dark256 : light256
  return ground === 'dark' ? darkTrue : lightTrue
}

/** The ground from the terminal's answer to OSC 11 (`rgb:RRRR/GGGG/BBBB`) or from COLORFGBG; unknown when neither tells. */
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
