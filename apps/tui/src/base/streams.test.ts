import { expect, test } from 'vitest'
import { colorDepthOf } from './streams.ts'

const cases: readonly (readonly [string, Parameters<typeof colorDepthOf>[0], number])[] = [
  ['a pipe', { isTTY: false, env: { TERM: 'xterm' }, args: [] }, 0],
  ['a terminal', { isTTY: true, env: { TERM: 'xterm' }, args: [] }, 4],
  ['256 colours', { isTTY: true, env: { TERM: 'xterm-256color' }, args: [] }, 8],
  ['truecolor', { isTTY: true, env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, args: [] }, 24],
  ['NO_COLOR', { isTTY: true, env: { TERM: 'xterm', NO_COLOR: '1' }, args: [] }, 0],
  ['an empty NO_COLOR', { isTTY: true, env: { TERM: 'xterm', NO_COLOR: '' }, args: [] }, 4],
  ['TERM=dumb', { isTTY: true, env: { TERM: 'dumb' }, args: [] }, 0],
  ['FORCE_COLOR in a pipe', { isTTY: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, args: [] }, 4],
  ['FORCE_COLOR=3', { isTTY: false, env: { FORCE_COLOR: '3' }, args: [] }, 24],
  ['FORCE_COLOR=0', { isTTY: true, env: { TERM: 'xterm', FORCE_COLOR: '0' }, args: [] }, 0],
  ['--no-color against FORCE_COLOR', { isTTY: true, env: { FORCE_COLOR: '1' }, args: ['--no-color'] }, 0],
]

test.each(cases)('T-13 colour: %s', (_name, facts, depth) => {
  expect(colorDepthOf(facts)).toBe(depth)
})
