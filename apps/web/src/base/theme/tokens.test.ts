import { expect, test } from 'vitest'
import document from '../../../../../docs/develop/sources/looks/tokens.md?raw'
import { dark, fonts, light, steps } from './tokens.ts'

const cells = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const code = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map(cells)

function table(head: string): string[][] {
  const at = rows.findIndex((row) => row.join('|').startsWith(head))
  const rest = rows.slice(at + 2)
  const end = rest.findIndex((_, index) => index > 0 && rest[index + 1]?.every((cell) => /^:?-+:?$/.test(cell)))
  return end === -1 ? rest : rest.slice(0, end)
}

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high! + 0.05) / (low! + 0.05)
}

test('grounds and lines have the values of tokens.md', () => {
  const seen: string[] = []
  for (const [names, lightCell, darkCell] of table('Token|Light|Dark|For')) {
    const bases = code(names!)
    const all = names!.includes(', hover') ? [bases[0]!, `${bases[0]}-hover`] : bases
    const lights = code(lightCell!)
    const darks = code(darkCell!)
    for (const [index, name] of all.entries()) {
      expect(light[name as keyof typeof light], name).toBe(lights[index])
      expect(dark[name as keyof typeof dark], name).toBe(darks[index])
      seen.push(name)
    }
  }
  expect(seen).toHaveLength(23)
})

const grounds = ['canvas', 'surface', 'sunken', 'hover', 'selected', 'overlay'] as const

test.each([
  ['Light', light],
  ['Dark', dark],
] as const)('words of the %s theme: values, and AA against every ground', (head, theme) => {
  const words = table(`${head}|hex|canvas`).slice(0, 7)
  expect(words).toHaveLength(7)
  for (const [name, hex, ...measured] of words) {
    const value = theme[code(name!)[0] as keyof typeof theme]
    expect(value).toBe(code(hex!)[0])
    for (const [index, ground] of grounds.entries()) {
      expect(contrast(value, theme[ground])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(value, theme[ground])).toBeCloseTo(Number(measured[index]), 1)
    }
  }
})

test('marks reach 3:1 on every ground, and solid buttons carry white text', () => {
  for (const [name, lightHex, , darkHex] of table('Light / dark|hex light').slice(0, 5)) {
    const key = code(name!)[0] as keyof typeof light
    for (const [theme, hex] of [
      [light, lightHex],
      [dark, darkHex],
    ] as const) {
      expect(theme[key]).toBe(code(hex!)[0])
      for (const ground of grounds)
        expect(contrast(theme[key], theme[ground]), `${key} on ${ground}`).toBeGreaterThanOrEqual(3)
    }
  }
  for (const theme of [light, dark]) {
    for (const solid of ['accent-solid', 'accent-solid-hover', 'bad-solid', 'bad-solid-hover'] as const) {
      expect(contrast(theme['on-accent'], theme[solid])).toBeGreaterThanOrEqual(4.5)
    }
    for (const tone of ['ok', 'warn', 'bad'] as const)
      expect(contrast(theme[tone], theme[`${tone}-tint`])).toBeGreaterThanOrEqual(4.5)
  }
})

test('chart lines, type steps and fonts have the values of tokens.md', () => {
  const series = rows.filter(([name]) => /^`c\d`/.test(name ?? ''))
  expect(series).toHaveLength(5)
  for (const [name, lightHex, darkHex] of series) {
    const key = code(name!)[0] as 'c1'
    expect([light[key], dark[key]]).toEqual([code(lightHex!)[0], code(darkHex!)[0]])
  }
  for (const [name, value] of table('Step|Size / line / weight')) {
    const step = code(name!)[0]
    if (!step || !(step in steps)) continue
    expect(steps[step as keyof typeof steps].join(' / '), step).toBe(value)
  }
  for (const family of ['sans', 'mono'] as const) expect(document).toContain(fonts[family])
})
