import { expect, test } from 'vitest'
import { readSource, sourceFiles } from '../support/sources.ts'

/** A word of our own that the field has a term for, the term, and the modules that still use it: a module that got rid of it leaves the list. */
const words: readonly (readonly [word: string, term: string, still: readonly string[]])[] = [
  ['strangers?', 'unauthenticated connections', []],
  ['rivals?', 'duplicate agents', []],
  ['patienceMs', 'timeoutMs', []],
  ['most[A-Z]\\w*', 'maxX', ['packages/core']],
  ['owes_(?:notice|tasks)', 'notice_pending, tasks_pending', ['apps/server']],
  ['dutyOf', 'dueActions', []],
  ['coming\\$', 'loading$', []],
  ['useSight', 'useVisibleRange', []],
  ['createDoor', 'createFirewallCheck', []],
  ['ownRow', 'hitTest', ['apps/tui']],
  ['holdYoungMemory', 'GC tuning', []],
  ['trials', 'checks', ['packages/core', 'apps/server', 'apps/tui', 'apps/web']],
]

const modules = ['packages/protocol', 'packages/core', 'apps/web', 'apps/tui', 'apps/server', 'apps/agent']

test.each(words)('code says no “%s”, but %s', (word, _term, still) => {
  const pattern = new RegExp(`(?<![\\w$])(?:${word})(?!\\w)`)
  const free = modules.filter((module) => !still.includes(module))
  const found = sourceFiles().filter(
    (file) => free.some((module) => file.startsWith(`${module}/`)) && pattern.test(readSource(file)),
  )
  expect(found).toEqual([])
})
