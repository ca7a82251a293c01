import { encode } from 'uqr'

/** A text as the modules of a QR code, row by row; true is dark. `border`: light modules around it, so that a camera finds its edge. */
export function qrModules(text: string, border = 2): readonly (readonly boolean[])[] {
  return encode(text, { ecc: 'L', border }).data
}

/** The same in characters that are half as wide as high: two rows of modules in a line, light ones drawn. */
export function qrLines(text: string): readonly string[] {
  const rows = qrModules(text, 1)
  return rows.flatMap((upper, index) => {
    if (index % 2 === 1) return []
    const lower = rows[index + 1]
    const halves = upper.map((isDark, column) => {
      const isLowerLight = lower !== undefined && !lower[column]
      if (isDark) return isLowerLight ? '▄' : ' '
      return isLowerLight ? '█' : '▀'
    })
    return [halves.join('')]
  })
}
