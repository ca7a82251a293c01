import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const document = readFileSync(
  fileURLToPath(new URL('../../docs/develop/sources/looks/tokens.md', import.meta.url)),
  'utf8',
)
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const code = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

function rowOf(first: string): string[] {
  const row = rows.find(([cell]) => cell === first)
  if (!row) throw new Error(`tokens.md has no row ${first}`)
  return row
}

/** The two themes of tokens.md. */
export type Theme = 'light' | 'dark'

/** A colour of tokens.md as the browser computes it: `rgb(246, 246, 244)`. */
export function colorOf(name: string, theme: Theme): string {
  const ground = rows.find(
    ([cell]) => code(cell)[0] === name && !/^`(text|muted|faint|accent|ok|warn|bad)`$/.test(cell!),
  )
  const [light, dark] = rows.filter(([cell, hex]) => cell === `\`${name}\`` && /^`#/.test(hex ?? ''))
  const cell = ground ? ground[theme === 'light' ? 1 : 2] : (theme === 'light' ? light : dark)?.[1]
  const hex = code(cell)[0]
  if (!hex?.startsWith('#')) throw new Error(`tokens.md has no ${theme} colour ${name}`)
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${r}, ${g}, ${b})`
}

/** A size of section 4 in px, by the row and the word before it: `sizeOf('Bars', 'header')`. */
export function sizeOf(row: string, name: string): number {
  const found = new RegExp(`(?:^|[ ,])${name} \\**(\\d+)`).exec(rowOf(row)[1]!)
  if (!found) throw new Error(`tokens.md has no ${name} under ${row}`)
  return Number(found[1])
}

/** A corner radius in px by what has it: `radiusOf('control')`. */
export function radiusOf(what: string): number {
  const part = rowOf('Radius')[1]!
    .split(';')
    .find((text) => new RegExp(`\\b${what}\\b`).test(text))
  return Number(/\d+/.exec(part ?? '')![0])
}

/** A step of type as computed: `13px/20px 400`. */
export function typeOf(step: string): string {
  const [size, line, weight] = rowOf(`\`${step}\``)[1]!.split(' / ')
  return `${size}px/${line}px ${weight}`
}
