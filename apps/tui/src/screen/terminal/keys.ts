/** A chord is written as in the key table: `j`, `X`, `Enter`, `Ctrl+s`, `Shift+Tab`, `ArrowDown`. A paste is one event, however long. */
export type KeyEvent =
  | { type: 'key'; chord: string }
  | { type: 'paste'; text: string }
  | { type: 'mouse'; what: 'press' | 'up' | 'down'; row: number; column: number }
  | { type: 'answer'; text: string }

/** Escape sequences of named keys. Source: ECMA-48, xterm control sequences. */
const letters: Readonly<Record<string, string>> = {
  A: 'ArrowUp',
  B: 'ArrowDown',
  C: 'ArrowRight',
  D: 'ArrowLeft',
  F: 'End',
  H: 'Home',
  P: 'F1',
  Q: 'F2',
  R: 'F3',
  S: 'F4',
  Z: 'Shift+Tab',
}
const numbers: Readonly<Record<string, string>> = {
  1: 'Home',
  2: 'Insert',
  3: 'Delete',
  4: 'End',
  5: 'PageUp',
  6: 'PageDown',
  7: 'Home',
  8: 'End',
  15: 'F5',
  17: 'F6',
  18: 'F7',
  19: 'F8',
  20: 'F9',
  21: 'F10',
  23: 'F11',
  24: 'F12',
}
const controls: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Enter',
  '\t': 'Tab',
  '\u007f': 'Backspace',
  '\b': 'Backspace',
  '\u001b': 'Escape',
  '\0': 'Ctrl+Space',
  ' ': 'Space',
}

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
const answer = /^\u001b\](.{0,200}?)(?:\u0007|\u001b\\)/s
/** SGR mouse report: button with held keys, column, row, pressed or let go. Source: xterm control sequences, mode 1006. */
const mouse = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])/
const mouseKinds: Readonly<Record<number, 'press' | 'up' | 'down'>> = { 0: 'press', 64: 'up', 65: 'down' }
const heldKeys = 4 + 8 + 16
const sequence = /^\u001b(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))/

/** Pure apart from its buffer. */
export function createKeyDecoder() {
  let buffer = ''

  /** The first event and its length; null if incomplete. Ignored input has no event. */
  function first(final: boolean): { event: KeyEvent | null; length: number } | null {
    if (buffer === '') return null
    if (buffer.startsWith(pasteStart)) {
      const end = buffer.indexOf(pasteEnd)
      if (end < 0) return null
      const text = buffer.slice(pasteStart.length, end).replaceAll(/\r\n?/g, '\n')
      return { event: { type: 'paste', text }, length: end + pasteEnd.length }
    }
    const answered = answer.exec(buffer)
    if (answered) return { event: { type: 'answer', text: answered[1]! }, length: answered[0].length }
    const moved = mouse.exec(buffer)
    if (moved) return { event: mouseEvent(moved), length: moved[0].length }
    const key = nextKey(buffer, final)
    return key && { event: key.chord === '' ? null : { type: 'key', chord: key.chord }, length: key.length }
  }
  function next(final = false): KeyEvent | null {
    for (let found = first(final); found; found = first(final)) {
      buffer = buffer.slice(found.length)
      if (found.event) return found.event
    }
    return null
  }

  return {
    /** The next complete event; null if there is none. `final`: nothing follows, so a lone ESC is Escape. */
    next,
    add(chunk: string) {
      buffer += chunk
    },
    rest() {
      const text = buffer
      buffer = ''
      return text
    },
    get waiting() {
      return buffer !== ''
    },
  }
}

function mouseEvent([, button, column, row, end]: RegExpExecArray): KeyEvent | null {
  const what = end === 'M' ? mouseKinds[Number(button) & ~heldKeys] : undefined
  return what ? { type: 'mouse', what, row: Number(row) - 1, column: Number(column) - 1 } : null
}

/** The first key and its length; null if incomplete. An unknown sequence has an empty chord. */
function nextKey(text: string, final: boolean): { chord: string; length: number } | null {
  if (text[0] !== '\u001b') {
    const character = String.fromCodePoint(text.codePointAt(0)!)
    return { chord: plain(character), length: character.length }
  }
  const found = sequence.exec(text)
  if (found) return { chord: named(found), length: found[0].length }
  // Over a slow line, Escape and the next key may come together, which looks like Alt with a letter; Alt has no meaning here.
  return !final && isBeginning(text) ? null : { chord: 'Escape', length: 1 }
}

function isBeginning(text: string): boolean {
  return (
    text.length === 1 || /^\u001b(?:\[<?[0-9;]*|O|\]\d*;?[^\u0007]{0,80})$/.test(text) || pasteStart.startsWith(text)
  )
}

function plain(character: string): string {
  const known = controls[character]
  if (known) return known
  const code = character.charCodeAt(0)
  return code < 32 ? `Ctrl+${String.fromCharCode(code + 96)}` : character
}

function named([, parameters = '', final = '', application]: RegExpExecArray): string {
  const [number = '', modifier] = parameters.split(';')
  const name = application ? letters[application] : final === '~' ? numbers[number] : letters[final]
  if (!name) return ''
  const bits = modifier ? Number(modifier) - 1 : 0
  return `${bits & 4 ? 'Ctrl+' : ''}${bits & 2 ? 'Alt+' : ''}${bits & 1 ? 'Shift+' : ''}${name}`
}
