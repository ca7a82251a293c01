import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import type { RunItem } from '@qd/core/resources'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ui } from '../../screen/state/ui.ts'
import { lineText, lineWidth } from '../../screen/terminal/line.ts'
import { itemHead, itemRow, longestName } from './run-lines.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const ui = {
  workspace: { ...translator, translator, format: createFormat({ translator, timeZone: 'UTC' }), view: { now: 0 } },
}
const part = (server_name: string, output: string) =>
  ({
    server_id: 1,
    server_name,
    state: 'no_answer',
    output,
    lines: 1,
    cut_bytes: 0,
    exit_code: 255,
    duration_ms: 61_000,
  }) as RunItem
const rowsOf = (items: readonly RunItem[], columns: number) =>
  items.map((item) => itemRow(ui as unknown as Ui, item, { columns, longest: longestName(items), focused: false }))

test.each([
  [60, 24],
  [80, 24],
  [120, 40],
  [200, 40],
])(
  'issue 18: names win in the results of a run at %i columns: whole up to %i cells, the output yields',
  (columns, whole) => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]*$/).map((text) => text.slice(0, whole))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.nat(200), (names, output) => {
        const items = names.map((one) => part(one, 'x'.repeat(output)))
        for (const [at, row] of rowsOf(items, columns).entries()) {
          expect(lineText(row).slice(2)).toMatch(new RegExp(`^${names[at]} `))
          expect(lineWidth(row)).toBeLessThanOrEqual(columns)
        }
        expect(lineWidth(itemHead(ui as unknown as Ui, columns, longestName(items)))).toBeLessThanOrEqual(columns)
      }),
    )
    const [row] = rowsOf([part(`${'a'.repeat(50)}${'z'.repeat(50)}`, 'done')], columns)
    expect(lineText(row!)).toMatch(/^ {2}a{11,}…z{11,} /)
  },
)
