import { firstItem } from '../../errors.ts'
/** Whether a path is a Windows path (`C:\`, `\\host\share`). In all others a backslash is part of a name. */
export function isWindows(path: string): boolean {
  return /^[a-z]:(?:[\\/]|$)/i.test(path) || path.startsWith('\\\\')
}

/** A path in parts: the root (`/`, `C:\`, `\\host\share\`, empty for a relative one), and the names below it. */
interface Parts {
  root: string
  names: readonly string[]
}

function partsOf(path: string): Parts {
  if (!isWindows(path)) return { root: path.startsWith('/') ? '/' : '', names: namesIn(path.split('/')) }
  const pieces = path.split(/[\\/]/)
  if (!path.startsWith('\\\\')) return { root: `${firstItem(pieces).toUpperCase()}\\`, names: namesIn(pieces.slice(1)) }
  const [host = '', share = '', ...rest] = pieces.filter((piece) => piece !== '')
  return { root: `\\\\${host}\\${share === '' ? '' : `${share}\\`}`, names: namesIn(rest) }
}

/** Drops empty names and `.`, and resolves `..`. */
function namesIn(pieces: readonly string[]): string[] {
  const names: string[] = []
  for (const piece of pieces) {
    if (piece === '' || piece === '.') continue
    if (piece === '..') names.pop()
    else names.push(piece)
  }
  return names
}

const joined = ({ root, names }: Parts) => `${root}${names.join(isWindows(root) ? '\\' : '/')}`

/** Normalizes an absolute path: no doubled or trailing separators, no `.` and `..`. */
export function normalPath(path: string): string {
  return joined(partsOf(path))
}

export function joinPath(folder: string, name: string): string {
  const { root, names } = partsOf(folder)
  return joined({ root, names: [...names, name] })
}

export function parentPath(path: string): string | null {
  const { root, names } = partsOf(path)
  return names.length === 0 ? null : joined({ root, names: names.slice(0, -1) })
}

export function lastName(path: string): string {
  const { root, names } = partsOf(path)
  return names.at(-1) ?? root
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || isWindows(path)
}

/** Whether text typed in a folder is a path to another place rather than part of a name. */
export function isTypedPath(typed: string, folder: string): boolean {
  return typed === '~' || typed.includes('/') || isWindows(typed) || (isWindows(folder) && typed.includes('\\'))
}

/**
 * Resolves a typed or pasted path from a folder: absolute, relative, with `~`, `..` and quotes (behavior W-24). While `home` is null, returns a
 * path with `~` as it is.
 */
export function resolvePath(typed: string, { folder, home }: { folder: string; home: string | null }): string {
  const text = unquoted(typed.trim())
  if (text === '') return folder
  if (text === '~' || /^~[\\/]/.test(text)) {
    if (home === null) return text
    const { root, names } = partsOf(home)
    return joined({ root, names: [...names, ...namesIn(text.slice(1).split(isWindows(home) ? /[\\/]/ : '/'))] })
  }
  if (text.startsWith('/') && isWindows(folder)) return joined({ ...partsOf(folder), names: namesIn(text.split('/')) })
  if (isAbsolute(text)) return normalPath(text)
  const { root, names } = partsOf(folder)
  return joined({ root, names: namesIn([...names, ...text.split(isWindows(folder) ? /[\\/]/ : '/')]) })
}

/** Removes the quotes that shells and file managers add to copied paths. */
function unquoted(text: string): string {
  return /^(["']).+\1$/s.test(text) ? text.slice(1, -1) : text
}

export interface Crumb {
  name: string
  path: string
}

const shownNames = 3

/** The root, the last three names, and the earlier ones for a menu (product spec, section 2). */
export function breadcrumb(path: string): { root: Crumb; earlier: readonly Crumb[]; last: readonly Crumb[] } {
  const { root, names } = partsOf(path)
  const crumbs = names.map((name, index) => ({ name, path: joined({ root, names: names.slice(0, index + 1) }) }))
  return {
    root: { name: root, path: root },
    earlier: crumbs.slice(0, -shownNames),
    last: crumbs.slice(-shownNames),
  }
}

/** Maximum length of a saved file’s name without its ending. */
const longestSaved = 200

/** Makes a name from a server safe for any file system: no separators, control or direction characters, no device name. */
export function safeFileName(name: string): string {
  const plain = name
    .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/g, '_')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+(?=$)|[. ]+$/g, '_')
  const [stem = '', ending] = [plain.replace(/\.[^.]{1,12}$/, ''), /\.[^.]{1,12}$/.exec(plain)?.[0] ?? '']
  const cut = [...stem].slice(0, longestSaved).join('') + ending
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(cut) || cut === '' ? `_${cut}` : cut
}

/** Splits `SERVER:PATH` at its first colon; null for a local path. */
export function parsePlace(word: string): { server: string; path: string } | null {
  const at = word.indexOf(':')
  // One letter and a slash is a local drive.
  if (at < 1 || /^[A-Za-z]:[\\/]/.test(word) || word.slice(0, at).includes('/')) return null
  return { server: word.slice(0, at), path: word.slice(at + 1) }
}
