import { firstItem } from '../errors/index.ts'
/** A name as a screen may show it: controls, signs that turn the direction of writing, and bytes that are no UTF-8 become visible signs. */
export const shownName = (name: string): string =>
  name
    .replace(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (sign) => {
      const code = sign.codePointAt(0) ?? 0
      return code < 32 ? String.fromCodePoint(0x2400 + code) : '\ufffd'
    })

/** Signs that stand for others in a shown name. */
const standsIn = /[\u2400-\u241f\ufffd]|\\x[89a-f][0-9a-f]/

/**
 * The path that was shown as this one, so that what a screen or a list shows can be typed: a name with signs that stand for others is looked
 * up in its folder. It stays as typed if it is there as it is, if no name or several are shown so, or if the folder can't be read.
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
