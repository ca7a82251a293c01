import { encode } from 'uqr'

/** The modules of a QR code row by row; true is dark. `border`: light modules around it, which cameras need. */
export function qrModules(text: string, border = 2): readonly (readonly boolean[])[] {
  return encode(text, { ecc: 'L', border }).data
}

/** As text: two rows of modules per line, light ones drawn. */
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
