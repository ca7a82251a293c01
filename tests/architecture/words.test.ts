import { expect, test } from 'vitest'
import { readSource, sourceFiles } from '../support/sources.ts'

/** A word of our own that the field has a term for, the term, and where it still stands. */
const words: readonly (readonly [word: string, term: string, still: readonly string[]])[] = [
  ['strangers?', 'unauthenticated connections', []],
  ['rivals?', 'duplicate agents', []],
  ['\\w*[pP]atienceMs', 'timeoutMs', []],
  // The first is a text’s placeholder; the columns keep their old names in the migration that made them.
  ['most[A-Z]\\w*', 'maxX', ['packages/core/src/files/view/edit-text.ts']],
  [
    'owes_(?:notice|tasks)',
    'notice_pending, tasks_pending',
    ['apps/server/src/store/db/migrations/', 'apps/server/src/store/db/migrations.test.ts'],
  ],
  ['dutyOf', 'dueActions', []],
  ['coming\\$', 'loading$', []],
  ['useSight', 'useVisibleRange', []],
  ['createDoor', 'createFirewallCheck', []],
  ['ownRow', 'hitTest', []],
  ['holdYoungMemory', 'GC tuning', []],
  ['(?:\\w+T|[tT])roubles?\\w*', 'problem', ['packages/core']],
  ['[sS]tandings?', 'status, state', ['apps/tui']],
  ['(?:\\w+O|o)nDesk', 'onDesktop', []],
  ['Told', 'Delivery', []],
  ['lookEveryMs', 'checkEveryMs', []],
  ['(?:createFile|File)(?:Desk|Work)', 'FileController, FileOperations', []],
  ['(?:text|picture)LookBytes|LookedAt|siteLook', 'preview, style', []],
  ['(?:interface |type |: )Asked', 'what each is', []],
  ['askingOf', 'confirmLevel', []],
  ['createOffer|UndoOffer|offerState', 'createActionFor, UndoState, availability', []],
  ['listPath|batchPath|editMethod', 'calls of the wire', []],
  ['onScreen', 'opens', []],
  // `reach` alone is a field that people query; `reaches` is a key of what MCP tools say.
  ['\\w*Reach|reach(?:es)?[A-Z]\\w*|reach(?=[!?]?[.(])', 'targets, TargetSelection', []],
  ['chosen_by', 'server_query', ['apps/server/src/store/db/migrations/']],
  ['deeds?|\\w*Deeds?', 'responses', ['apps/server/src/store/db/migrat']],
  [
    '(?:isA|a)imed(?:ByItself)?|aimAt|isFollower|checkFollowing|follow(?:Input|Initial|Kinds|Fields)',
    'targets and selection',
    [],
  ],
  // `trial` alone is what the wire calls it: a change that is taken back unless somebody confirms it.
  ['trials', 'serverChecks', []],
  ['resource\\.check', 'validate', []],
  ['createTells|tellsNobody', 'createNotifies, notifiesNobody', []],
]

const modules = ['packages/protocol', 'packages/core', 'apps/web', 'apps/tui', 'apps/server', 'apps/agent']

test.each(words)('code says no “%s”, but %s', (word, _term, still) => {
  const pattern = new RegExp(`(?<![\\w$])(?:${word})(?!\\w)`)
  const found = sourceFiles().filter(
    (file) => modules.some((module) => file.startsWith(`${module}/`)) && pattern.test(readSource(file)),
  )
  expect(found.filter((file) => !still.some((place) => file.startsWith(place)))).toEqual([])
  // What got rid of it leaves the list.
  expect(still.filter((place) => !found.some((file) => file.startsWith(place)))).toEqual([])
})
