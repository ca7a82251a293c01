import { expect, test } from 'vitest'
import document from '../../../../docs/develop/sources/looks/tokens.md?raw'
import { terminalColors } from './colors.ts'

const columns = [
  'background',
  'foreground',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'brightBlack',
] as const

test.each([
  ['Light', 'light'],
  ['Dark', 'dark'],
] as const)('W-18 the %s colours are those of tokens.md 7, each at AA by its own measure', (head, theme) => {
  const section = document.slice(document.indexOf('## 7.'), document.indexOf('## 8.'))
  const row = section.split('\n').find((line) => line.startsWith(`| ${head} |`))!
  const cells = row.split('|').slice(2, -1)
  const colors = terminalColors(theme)
  for (const [index, column] of columns.entries()) {
    const [, hex, measured] = /`(#\w+)`\s*([\d.]*)/.exec(cells[index]!)!
    expect(colors[column], column).toBe(hex)
    if (measured !== '') expect(Number(measured)).toBeGreaterThanOrEqual(4.5)
  }
  for (const name of ['Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan'] as const)
    expect(colors[`bright${name}`]).toBe(colors[name.toLowerCase() as 'red'])
})
