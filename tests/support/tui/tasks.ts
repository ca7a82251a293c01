import { observable } from '@legendapp/state'
import type { AnyRow } from '@qd/core/define'
import { AppError, type ErrorCode } from '@qd/core/errors'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import type { Ui } from '../../../apps/tui/src/screen/state/ui.ts'
import { plainStyle } from '../../../apps/tui/src/screen/terminal/screen-style.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const none: readonly AnyRow[] = []
const quietView = { all: () => none, find: () => undefined, title: () => null, referring: () => [], trend: () => [] }

const taskOf = (id: number): AnyRow => ({
  id,
  name: `task ${id}`,
  task_type: 0,
  scheduler: '0 0 3 * * *',
  command: `backup ${id}`,
  servers: [],
  cover: 0,
  push_successful: false,
  notification_group_id: 0,
  last_executed_at: null,
  last_result: false,
  server_query: '',
})

/** Tasks of a server that is not there, and as much of the program as shows them. */
export interface TestTasks {
  readonly ui: Ui
  /** Ids of the records that were looked at, in order. */
  readonly looked: number[]
  /** `quiet`: as live figures do, without another version of the list. */
  change(id: number, changes: object, how?: 'quiet'): void
  /** The server's last answer to the list was this error, or the list. */
  fail(code: ErrorCode | null): void
  /** Lets so many ms go by. */
  pass(ms: number): void
}

/** So many tasks, `task 1` and on, in a list with these columns or its own. */
export function createTestTasks(count: number, columns: readonly string[] | null = null): TestTasks {
  const tasks = new Map(Array.from({ length: count }, (_, at) => [at + 1, taskOf(at + 1)]))
  const version$ = observable(1)
  const list$ = observable({
    ...{ status: 'ready', loadedAt: 0, ids: [...tasks.keys()], total: null },
    error: null as AppError | null,
  })
  const looked: number[] = []
  let now = 0
  const view = {
    ...quietView,
    get now() {
      return now
    },
  }
  const ui = {
    style: plainStyle,
    io: {
      now: () => now,
      setTimer(run: () => void, ms: number) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    },
    workspace: {
      ...translator,
      ...{ translator, format, view, readOnly: false },
      records: {
        version$: () => version$,
        list$: () => list$,
        peekAll: () => [...tasks.values()],
        peek(_name: string, id: number) {
          looked.push(id)
          return tasks.get(id)
        },
      },
      surface: () => ({ translator, format, view, viewer }),
      surroundings: () => ({ viewer, view, supports: () => true }),
      session: { viewer: () => viewer, supports: () => true },
      remembered: { read: () => null, write: () => undefined },
      savedLists: { list$: () => observable({ columns }) },
      live: { state$: observable({ feed: { status: 'off' }, heardAt: null }) },
      isOld: () => false,
      settings: { url: 'http://localhost' },
    },
  } as unknown as Ui
  return {
    ui,
    looked,
    fail: (code) => list$.assign({ status: code ? 'failed' : 'ready', error: code && new AppError(code) }),
    pass(ms) {
      now += ms
    },
    change(id, changes, how) {
      Object.assign(tasks.get(id)!, changes)
      if (how !== 'quiet') version$.set(version$.peek() + 1)
    },
  }
}
