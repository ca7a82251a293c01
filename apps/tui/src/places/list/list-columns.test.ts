import { textKey } from '@qd/core/define'
import { createFormat, createTranslator, languages, loadLanguage } from '@qd/core/i18n'
import { cron, resources, run, server, service } from '@qd/core/resources'
import { columnsFor } from '@qd/core/view'
import { expect, test } from 'vitest'
import { cutMiddle, widthOf as textWidth } from '../../base/output/width.ts'
import { lineText, lineWidth } from '../../screen/terminal/line.ts'
import { headLine, layColumns } from './list-columns.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const widthOf = (columns: number) => (columns < 80 ? 'narrow' : columns < 110 ? 'normal' : 'wide')

test.each(resources.filter(({ wire }) => wire.shape === 'many'))(
  'T-04 the columns of $name fit every width from 40 on, the title among them',
  (resource) => {
    for (let width = 40; width <= 220; width++) {
      const laid = layColumns(columnsFor(resource, widthOf(width)), {
        resource,
        translator,
        width,
        ascii: false,
        compact: width < 72,
        longestTitle: 20,
      })
      expect(lineWidth(headLine(laid)), String(width)).toBeLessThanOrEqual(width)
      expect(laid.some(({ column }) => column.field === resource.title)).toBe(true)
    }
  },
)

test('at 80 columns the server list has the columns of the looks, at 120 address, trend and agent too', () => {
  const heads = (width: number) =>
    lineText(
      headLine(
        layColumns(columnsFor(server, widthOf(width)), {
          resource: server,
          translator,
          width,
          ascii: false,
          compact: false,
          longestTitle: 14,
        }),
      ),
    )
      .trim()
      .split(/ {2,}|(?<=%) /)
  expect(heads(80)).toEqual(['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'])
  expect(heads(120).join(' ')).toMatch(/GROUP ADDRESS CPU % CPU, 10 MIN MEM % DISK % IN OUT UPTIME AGENT/)
})

test.each([
  [8, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 6],
  [12, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 6],
  [13, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 5],
  [18, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 4],
  [24, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 0],
  [60, ['NAME', 'GROUP', 'CPU %', 'MEM %', 'DISK %', 'IN', 'OUT', 'UPTIME'], 0],
])(
  'issue 10: at 80 columns names of %i cells are whole up to 24, for which bars and then rates give way',
  (longest, heads, bar) => {
    const laid = layColumns(columnsFor(server, 'normal'), {
      resource: server,
      translator,
      width: 80,
      ascii: false,
      compact: false,
      longestTitle: longest,
    })
    expect(laid.map(({ head }) => head)).toEqual(heads)
    expect(laid.find(({ column }) => column.field === 'name')!.cells).toBeGreaterThanOrEqual(Math.min(24, longest))
    expect(laid.find(({ column }) => column.kind === 'percent')!.bar).toBe(bar)
  },
)

test.each(resources.filter(({ wire }) => wire.shape === 'many'))(
  'issue 18: names win in the list of $name: whole up to 24 cells, from 120 columns on up to 40, and everything fits',
  (resource) => {
    const isFirst = ({ kind }: { kind: string }) => ['rate', 'address', 'trend'].includes(kind)
    for (const width of [60, 72, 80, 119, 120, 200]) {
      const request = { resource, translator, width, ascii: false, compact: width < 72 }
      const columns = columnsFor(resource, widthOf(width))
      const roomy = layColumns(columns, { ...request, longestTitle: 1 })
      for (const longest of [1, 11, 16, 20, 24, 25, 30, 36, 40, 41, 60]) {
        const laid = layColumns(columns, { ...request, longestTitle: longest })
        const title = laid.find(({ column }) => column.field === resource.title)!
        const at = `${width} columns, ${longest} cells`
        expect(title.cells, at).toBeGreaterThanOrEqual(Math.min(longest, width >= 120 ? 40 : 24))
        expect(lineWidth(headLine(laid)), at).toBeLessThanOrEqual(width)
        // What is not among the first to give way goes only where those have gone.
        const gone = roomy.filter(({ column }) => laid.every((one) => one.column.field !== column.field))
        if (gone.some(({ column }) => !isFirst(column)))
          expect(
            laid.filter(({ column }) => isFirst(column) && column.field !== resource.title),
            at,
          ).toEqual([])
      }
    }
  },
)

test.each([
  ['web-production-eu-central-01', 24, 'web-producti…-central-01'],
  ['web-1', 24, 'web-1'],
  ['数据库服务器一号', 9, '数据…一号'],
  ['abcdef', 2, 'a…'],
])('issue 10: a long name is cut in the middle: %s in %i', (name, cells, cut) => {
  expect(cutMiddle(name, cells, '…')).toBe(cut)
  expect(textWidth(cutMiddle(name, cells, '…'))).toBeLessThanOrEqual(cells)
})

test.each(languages)('the states of runs are written out at 80 columns in %s', async (language) => {
  const own = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
  const laid = layColumns(columnsFor(run, 'normal'), {
    resource: run,
    translator: own,
    width: 80,
    ascii: false,
    compact: false,
    longestTitle: 30,
  })
  const state = laid.find(({ column }) => column.field === 'state')!
  for (const name of ['open', 'success', 'failure', 'partial'])
    expect(state.cells, name).toBeGreaterThanOrEqual(2 + textWidth(own.say(textKey.option('run', 'state', name))))
})

test.each([8, 12, 16, 20, 24, 30, 40])(
  'issue 18: at 80 columns a schedule of every quarter of an hour is whole beside names of %i cells, which are themselves whole up to 24',
  (longestTitle) => {
    const request = { resource: cron, translator, width: 80, ascii: false, compact: false, longestTitle }
    const laid = layColumns(columnsFor(cron, 'normal'), request)
    const cellsOf = (field: string) => laid.find(({ column }) => column.field === field)!.cells
    expect(cellsOf('scheduler')).toBeGreaterThanOrEqual('0 */15 * * * *'.length)
    expect(cellsOf('name')).toBeGreaterThanOrEqual(Math.min(24, longestTitle))
  },
)

test('at 80 columns a percentage of two decimals is whole beside names of 40 cells', () => {
  const request = { resource: service, translator, width: 80, ascii: false, compact: false, longestTitle: 40 }
  const laid = layColumns(columnsFor(service, 'normal'), request)
  expect(laid.find(({ column }) => column.field === 'up_percent')!.cells).toBeGreaterThanOrEqual('99.90 %'.length)
})

test('services at 120 columns have their bars before anything else that is wide; targets take the room that is left', () => {
  const laid = (width: number) =>
    layColumns(columnsFor(service, widthOf(width)), {
      resource: service,
      translator,
      width,
      ascii: false,
      compact: false,
      longestTitle: 20,
    })
  const cellsOf = (width: number, name: string) => laid(width).find(({ column }) => column.field === name)?.cells ?? 0
  expect(cellsOf(120, 'days')).toBe(30)
  expect(cellsOf(80, 'days')).toBe(0)
  expect(cellsOf(120, 'state')).toBeGreaterThan(0)
  expect(cellsOf(220, 'target')).toBeGreaterThan(cellsOf(120, 'target'))
})

test.each(resources.filter(({ wire }) => wire.shape === 'many'))(
  'a date of another year is whole in the list of $name at every width',
  (resource) => {
    const date = createFormat({ translator, timeZone: 'UTC' }).instant('2027-02-23', Date.parse('2026-11-25'))
    for (const width of [60, 80, 120, 200]) {
      const request = { resource, translator, width, ascii: false, compact: width < 72, longestTitle: 30 }
      for (const { column, cells } of layColumns(columnsFor(resource, widthOf(width)), request))
        if (column.kind === 'instant')
          expect(cells, `${column.field} at ${width}`).toBeGreaterThanOrEqual(textWidth(date))
    }
  },
)

test.each(languages)('no head of a list is cut at 60 columns and more in %s', async (language) => {
  const own = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
  const cut: string[] = []
  for (const resource of resources.filter(({ wire }) => wire.shape === 'many'))
    for (const width of [60, 72, 80, 100, 120, 140, 160, 200])
      for (const longestTitle of [12, 18, 24, 30, 40]) {
        const request = { resource, translator: own, width, ascii: false, compact: width < 72, longestTitle }
        for (const { head, cells } of layColumns(columnsFor(resource, widthOf(width)), request))
          if (textWidth(head) > cells) cut.push(`${resource.name} at ${width}: ${head} in ${cells}`)
      }
  expect(cut).toEqual([])
})
