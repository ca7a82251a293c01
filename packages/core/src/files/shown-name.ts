/** A name as a screen may show it: controls, signs that turn the direction of writing, and bytes that are no UTF-8 become visible signs. */
export const shownName = (name: string): string =>
  name
    .replace(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (sign) => {
      const code = sign.codePointAt(0)!
      return code < 32 ? String.fromCodePoint(0x2400 + code) : '\ufffd'
    })
