import { afterEach, expect, test } from 'vitest'
import { BeatContext } from '../hooks/use-beat.ts'
import { createKeyDecoder } from '../terminal/keys.ts'
import { type Rendered, renderAt } from '../test-render.tsx'
import { createTestTasks } from '../test-tasks.ts'
import { createOutputScreen } from './output-screen.tsx'

let screen: Rendered
afterEach(() => screen.close())

const text = Array.from({ length: 40 }, (_, at) =>
  `line ${at} ${at % 10 === 0 ? 'marked ' : ''}${'word '.repeat(12)}`.trim(),
).join('\n')

function open(columns: number) {
  const { ui } = createTestTasks(0)
  const output = createOutputScreen(ui, { title: 'web-1', text, cutBytes: 0 })
  const shown = output.view()
  let beat = 0
  const draw = () => screen.show(<BeatContext value={++beat}>{shown}</BeatContext>)
  screen = renderAt(<BeatContext value={beat}>{shown}</BeatContext>, { columns, rows: 10, ui })
  const decoder = createKeyDecoder()
  const type = (bytes: string) => {
    for (const event of [...decoder.push(bytes), ...decoder.flush()]) {
      output.input(event)
      draw()
    }
  }
  const run = (command: string) => {
    output.command({ command, chord: '' } as never)
    draw()
  }
  return { run, type }
}

test.each([40, 80, 120, 200])('an output at %i columns begins at its end, whole', (columns) => {
  const { run } = open(columns)
  const rows = screen.lines()
  expect(rows).toHaveLength(10)
  expect(rows.every((row) => row.length <= columns)).toBe(true)
  expect(rows.join('').replaceAll(' ', '')).toContain(`line39${'word'.repeat(12)}`)
  run('first')
  expect(screen.lines()[0]).toMatch(/^ line 0 marked/)
})

test('a word is searched while it is typed, and found again with n and N', () => {
  const { run, type } = open(80)
  run('first')
  run('filter')
  type('marked')
  expect(screen.lines()[0]).toContain('marked▁')
  type('\r')
  const first = () => screen.lines().find((row) => row.startsWith(' line'))
  const found = first()
  type('n')
  expect(first()).not.toBe(found)
  type('N')
  expect(first()).toBe(found)
})
