import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCells } from '../terminal/cells.ts'

/** What `buildInk` of scripts/build.mjs makes. */
interface Ink {
  readonly createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown
  readonly render: (node: unknown, options: object) => { rerender(node: unknown): void; unmount(): void }
  readonly Box: unknown
  readonly Text: unknown
  readonly chalk: { level: number }
}

const folder = mkdtempSync(join(tmpdir(), 'qd-own-ink-'))
const paths = { ours: join(folder, 'ours.mjs'), stock: join(folder, 'stock.mjs') }
let ours: Ink
let stock: Ink

beforeAll(async () => {
  const { buildInk } = (await import(new URL('../../../../../scripts/build.mjs', import.meta.url).href)) as {
    buildInk(outfile: string, how: { isStock: boolean }): Promise<unknown>
  }
  await buildInk(paths.ours, { isStock: false })
  await buildInk(paths.stock, { isStock: true })
  ours = await import(pathToFileURL(paths.ours).href)
  stock = await import(pathToFileURL(paths.stock).href)
  for (const { chalk } of [ours, stock]) chalk.level = 3
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Node = { box: object; children: readonly Node[] } | { text: object; children: readonly (string | Node)[] }

const columns = 40

/** The last of these frames, each drawn in the place of the one before. */
function frameOf(ink: Ink, ...frames: readonly (readonly Node[])[]): string {
  const elementOf = (node: Node | string, key: number): unknown => {
    if (typeof node === 'string') return node
    const [type, props] = 'box' in node ? [ink.Box, node.box] : [ink.Text, node.text]
    return ink.createElement(type, { ...props, key }, ...node.children.map(elementOf))
  }
  let frame = ''
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    write(text: string) {
      frame = text
      return true
    },
  })
  const stdin = Object.assign(new EventEmitter(), { isTTY: false })
  const [first = [], ...others] = frames.map((nodes) =>
    ink.createElement(ink.Box, { flexDirection: 'column' }, ...nodes.map(elementOf)),
  )
  const shown = ink.render(first, {
    stdout,
    stdin,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  for (const other of others) shown.rerender(other)
  const drawn = frame
  shown.unmount()
  return drawn
}

const cellsOf = (frame: string) =>
  frame.split('\n').map((line) => {
    const { cells } = toCells(line)
    const last = cells.findLastIndex(({ text, style }) => text !== ' ' || style !== '')
    return cells.slice(0, last + 1).map(({ text, style }) => `${text} ${style.split(';').sort().join(';')}`)
  })

const words = fc.array(
  fc.constantFrom(
    'web-1',
    ' ',
    '  ',
    '12 %',
    '● ok',
    '▲',
    '━━━──',
    '…',
    'Überwachung',
    '服务器',
    '日本語',
    '한국어',
    'a b c',
    '',
    '⇧tab',
  ),
  { minLength: 1, maxLength: 5 },
)
const style = fc.record(
  {
    color: fc.constantFrom('red', 'cyan', '#a5a9b1', 'ansi256(111)'),
    backgroundColor: fc.constantFrom('#1b1d21', 'blue'),
    style: fc.constantFrom({ bold: true }, { dimColor: true }, { inverse: true }, { underline: true }),
    wrap: fc.constantFrom('wrap', 'truncate', 'truncate-middle'),
  },
  { requiredKeys: [] },
)
const { node } = fc.letrec<{ node: Node; box: Node; text: Node; piece: string | Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, tie('text'), tie('box')),
  piece: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'piece' },
    words.map((all) => all.join('')),
    tie('text'),
  ),
  text: fc
    .tuple(style, fc.array(tie('piece'), { minLength: 1, maxLength: 4 }))
    // Bold in dim text loses the dim of stock Ink.
    .map(([{ style, ...others }, children]) => ({ text: { ...others, ...style }, children })),
  box: fc
    .tuple(
      fc.record(
        {
          flexDirection: fc.constantFrom('row', 'column'),
          width: fc.integer({ min: 1, max: columns }),
          paddingLeft: fc.integer({ min: 0, max: 3 }),
          overflowY: fc.constant('hidden'),
          height: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: [] },
      ),
      fc.array(tie('node'), { maxLength: 4 }),
    )
    .map(([box, children]) => ({ box, children })),
}))

const has = (tree: Node | string, style: string): boolean =>
  typeof tree !== 'string' &&
  (('text' in tree && style in tree.text) || tree.children.some((child) => has(child, style)))

/** Of a box that cuts in a box that cuts, stock Ink forgets the outer one. */
const cutsTwice = (tree: Node | string, outer: number): boolean => {
  if (typeof tree === 'string' || 'text' in tree) return false
  const cuts = outer + ('overflowY' in tree.box ? 1 : 0)
  return cuts > 1 || tree.children.some((child) => cutsTwice(child, cuts))
}

test('what stands in below Ink draws the same cells as the packages', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (nodes) => {
      // Stock Ink loses the dim of what is bold as well.
      fc.pre(!(nodes.some((one) => has(one, 'bold')) && nodes.some((one) => has(one, 'dimColor'))))
      fc.pre(!nodes.some((one) => cutsTwice(one, 0)))
      const cells = cellsOf(frameOf(ours, nodes))
      // Beyond the frame stock Ink leaves out what nothing was written to.
      fc.pre(cells.every((row) => row.length <= columns))
      expect(cells).toEqual(cellsOf(frameOf(stock, nodes)))
    }),
    { numRuns: 400 },
  )
})

test('a ground that is broken over two rows is closed in each', () => {
  const nodes: Node[] = [
    {
      box: { width: 5 },
      children: [{ text: { wrap: 'wrap' }, children: [{ text: { backgroundColor: 'blue' }, children: ['ab   cd'] }] }],
    },
  ]
  expect(cellsOf(frameOf(ours, nodes))).toEqual(cellsOf(frameOf(stock, nodes)))
})

test('what is cut by a box is cut by the one around it too', () => {
  const row = (text: string): Node => ({ text: {}, children: [text] })
  const cut = (height: number, children: readonly Node[]): Node => ({
    box: { flexDirection: 'column', height, overflowY: 'hidden', flexShrink: 0 },
    children,
  })
  const list = cut(4, [row('one'), row('two'), row('three'), row('four')])
  expect(frameOf(ours, [cut(2, [list]), row(' '), row('below')]).split('\n')).toEqual(['one', 'two', ' ', 'below'])
})

test('a frame after another one has nothing of it', () => {
  const row = (color: string, text: string): Node => ({
    text: { wrap: 'truncate' },
    children: ['> ', { text: { color }, children: [text] }],
  })
  const frames = [
    [row('red', 'web-1'), row('cyan', 'web-2')],
    [row('cyan', 'web-1'), row('cyan', 'web-3')],
  ]
  expect(cellsOf(frameOf(ours, ...frames))).toEqual(cellsOf(frameOf(stock, frames[1]!)))
})

test('what a terminal would obey reaches none', () => {
  const hostile: Node = {
    text: {},
    children: ['a\u001b[2Jb\u009b31mc\u0007', { text: { color: 'red' }, children: ['\u001b]0;x\u0007'] }],
  }
  expect(frameOf(ours, [hostile]).replaceAll(/\u001b\[\d*m/g, '')).toBe('a[2Jb31mc]0;x')
})

test('bold and dim hold at once', () => {
  const nested: Node = { text: { dimColor: true }, children: ['a', { text: { bold: true }, children: ['b'] }, 'c'] }
  expect(cellsOf(frameOf(ours, [nested]))).toEqual([['a 2', 'b 1;2', 'c 2']])
})

test('frames that change leave nothing in memory', () => {
  const program = `
    import { EventEmitter } from 'node:events'
    const { render, Box, Text, createElement: h } = await import(${JSON.stringify(pathToFileURL(paths.ours).href)})
    const stdout = Object.assign(new EventEmitter(), { columns: 120, rows: 36, write: () => true })
    const stdin = Object.assign(new EventEmitter(), { isTTY: false })
    const app = (round) => h(Box, { flexDirection: 'column' }, ...Array.from({ length: 36 }, (_, row) =>
      h(Text, { key: row }, 'row ' + row + ' ', h(Text, { color: 'red' }, 'round ' + round + ' 服' + '━'.repeat(60)))))
    const ink = render(app(0), { stdout, stdin, debug: true, exitOnCtrlC: false, patchConsole: false })
    const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed }
    const run = (from) => { for (let round = from; round < from + 500; round++) ink.rerender(app(round)) }
    run(1)
    const before = heap()
    run(1000)
    console.log(heap() - before)
    ink.unmount()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  // 18,000 rows that stock Ink would keep are 7 MB.
  expect(Number(stdout)).toBeLessThan(1_000_000)
})
