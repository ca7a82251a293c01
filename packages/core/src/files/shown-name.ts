import { firstItem } from '../errors.ts'
/** Makes a name fit for screens: control and direction characters and bytes that aren’t UTF-8 become visible characters. */
export const shownName = (name: string): string =>
  name
    .replace(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (sign) => {
      const code = sign.codePointAt(0) ?? 0
      return code < 32 ? String.fromCodePoint(0x2400 + code) : '\ufffd'
    })

const standsIn = /[\u2400-\u241f\ufffd]|\\x[89a-f][0-9a-f]/

/**
 * Finds the path that was displayed as this one, so that a displayed path can be typed. Returns it as typed if it exists as it is, if no name
 * or several are displayed so, or if the folder can’t be read.
 */
export async function pathShownAs(
  path: string,
  list: (folder: string) => Promise<{ readonly entries: readonly { readonly name: string }[] }>,
): Promise<string> {
  if (!standsIn.test(path)) return path
  const names = path.split('/')
  for (const [at, name] of names.entries()) {
    if (!standsIn.test(name)) continue
    const folder = at === 1 && names[0] === '' ? '/' : names.slice(0, at).join('/')
    const { entries } = await list(folder).catch(() => ({ entries: [] }))
    const alike = entries.filter((entry) => shownName(entry.name) === name)
    if (alike.length === 1 && !entries.some((entry) => entry.name === name)) names[at] = firstItem(alike).name
  }
  return names.join('/')
}
