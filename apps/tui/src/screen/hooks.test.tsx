import { observable } from '@legendapp/state'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../tests/support/tui/render.tsx'
import { useLive, useValue } from './hooks.ts'
import { createState, observed } from './state/observed.ts'
import { line } from './terminal/line.ts'
import { Row } from './ui/rows.tsx'

let screen: Rendered
afterEach(() => screen.close())

/** A text and how often it was drawn. */
function counted(read: () => string, how: typeof useLive = useValue) {
  const seen = { drawn: 0 }
  function Shown() {
    const text = how(read)
    seen.drawn += 1
    return <Row line={line(text)} />
  }
  return { seen, Shown }
}

test('only what read a value is drawn again, once for all changes before a frame', () => {
  const state = createState({ name: 'web-1', load: 1 })
  const count$ = observable(0)
  const own = counted(() => `${state.name} ${state.load}`)
  const other = counted(() => `count ${count$.get()}`)
  const both = (
    <>
      <own.Shown />
      <other.Shown />
    </>
  )
  screen = renderAt(both, { onKey: () => Object.assign(state, { name: 'web-2', load: 2 }) })
  state.load = 5
  expect(own.seen.drawn).toBe(1)
  screen.type('x')
  expect(screen.lines()[0]).toContain('web-2 2')
  expect([own.seen.drawn, other.seen.drawn]).toEqual([2, 1])
  screen.type('x')
  expect(own.seen.drawn).toBe(2)
})

test('a beat draws what shows the time, and no text that stays the same', () => {
  let time = 1
  const clock = counted(() => `at ${time}`, useLive)
  const still = counted(() => `still ${time}`)
  screen = renderAt(
    <>
      <clock.Shown />
      <still.Shown />
    </>,
  )
  time = 2
  screen.draw()
  expect(screen.lines()[0]).toContain('at 2')
  screen.draw()
  expect([clock.seen.drawn, still.seen.drawn]).toEqual([2, 1])
})

test('a model of core is drawn again after the calls that change it', () => {
  const model = { text: 'a', set: (text: string) => void Object.assign(model, { text }), settle: () => undefined }
  const seen = observed(model, ['set'])
  const own = counted(() => seen.text)
  screen = renderAt(<own.Shown />, { onKey: (event) => (event.type === 'key' ? seen.set(event.chord) : undefined) })
  screen.type('b')
  expect(screen.lines()[0]).toBe('b')
  seen.settle()
  screen.draw()
  expect(own.seen.drawn).toBe(2)
})

test('what changes by itself is drawn in the next frame, and nothing after it is gone', async () => {
  const count$ = observable(1)
  const own = counted(() => `count ${count$.get()}`)
  screen = renderAt(<own.Shown />)
  count$.set(2)
  await expect.poll(() => screen.lines()[0]).toBe('count 2')
  screen.draw(<Row line={line('gone')} />)
  count$.set(3)
  screen.draw()
  expect([screen.lines()[0], own.seen.drawn]).toEqual(['gone', 2])
})
