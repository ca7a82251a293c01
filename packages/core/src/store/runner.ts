import { batch, type Observable, observable } from '@legendapp/state'
import {
  actionLine,
  type Cancel,
  createEdits,
  formLine,
  outdatedBy,
  type Question,
  type RunReport,
  runAction,
  type Saved,
  saveForm,
  type TextRef,
} from '../actions/index.ts'
import type { Client, Ports } from '../api/index.ts'
import {
  type Action,
  type AnyRow,
  actionKey,
  type Call,
  type Outcome,
  type Resource,
  type RowFailure,
  titleOf,
  type Values,
  type View,
} from '../define/index.ts'
import { AppError, toAppError } from '../errors/index.ts'
import { resourceByName } from '../resources/index.ts'
import type { Records } from './records.ts'
import type { Session } from './session.ts'
import { createWaiting, undoMs, type Wait, type WaitEnd, type Waiting } from './waiting.ts'

/** One thing that was done in this session, repeatable by its CLI line. */
export interface Activity {
  id: number
  /** Epoch ms of this machine's clock. */
  at: number
  label: TextRef
  /** Names of the records it was done to; empty for none. */
  names: readonly string[]
  cli: string
  status: 'running' | 'ok' | 'failed'
  /** Why it failed. */
  error: AppError | null
}

/** A saved edit, or an action that waits, which can be taken back for a few seconds more. */
export interface UndoOffer {
  name: string
  /** Epoch ms of this machine's clock; after it the offer is gone. */
  until: number
}

/** How saving a form ended. */
export type SaveReport = { kind: 'ok'; saved: Saved } | { kind: 'failed'; error: AppError }

/** What a form saves. `base` is the record it was opened with. */
export interface SaveOrder {
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  base: AnyRow | null
  input: Readonly<Record<string, unknown>>
}

/** How a run ended, or that it waits: its effect is shown, and `end` tells when it was sent, failed or was taken back. */
export type RunnerReport = RunReport | { kind: 'waits'; outcome: Outcome; end: Promise<WaitEnd> }

/** Runs actions and saves forms for a front end: keeps lists true, offers undo, keeps the list of what was done. */
export interface Runner {
  /** Newest first. */
  activity$: Observable<readonly Activity[]>
  undo$: Observable<UndoOffer | null>
  /** Never rejects. */
  run(
    action: Action,
    rows: readonly AnyRow[],
    ask: (question: Question) => Promise<Values | null>,
  ): Promise<RunnerReport>
  save(order: SaveOrder): Promise<SaveReport>
  /** Takes back the last saved edit, or what waits; null if there is nothing to take back any more. */
  undo(): Promise<SaveReport | null>
  /** What is agreed to and not sent yet. */
  readonly waiting: Pick<Waiting, 'flush' | 'abandon' | 'size'>
}

/** What a runner is built from. */
export interface RunnerOptions {
  client: Pick<Client, 'send'>
  clock: Pick<Ports, 'now' | 'setTimer'>
  records: Pick<Records, 'refresh' | 'forget' | 'overlay' | 'peek'>
  session: Pick<Session, 'viewer' | 'supports'>
  view: View
}

const maxActivities = 100

/** Builds a runner. */
export function createRunner({ client, clock, records, session, view }: RunnerOptions): Runner {
  const activity$ = observable<readonly Activity[]>([])
  const undo$ = observable<UndoOffer | null>(null)
  const edits = createEdits({ api: client, supports: session.supports })
  const waiting = createWaiting({ api: client, edits, clock, records })
  let wait: Wait | null = null
  let pending: (() => Promise<SaveReport>) | null = null
  let cancelTimer: Cancel = () => undefined
  let count = 0

  const begin = (what: Pick<Activity, 'label' | 'names' | 'cli'>): number => {
    count += 1
    const activity: Activity = { ...what, id: count, at: clock.now(), status: 'running', error: null }
    activity$.set([activity, ...activity$.peek()].slice(0, maxActivities))
    return count
  }
  const change = (id: number, what: Partial<Activity>) =>
    activity$.set(activity$.peek().map((one) => (one.id === id ? { ...one, ...what } : one)))
  const end = (id: number, status: Activity['status'] | null, error: AppError | null = null) => {
    if (status !== null) change(id, { status, error })
    else activity$.set(activity$.peek().filter((one) => one.id !== id))
  }
  const withdraw = () => {
    cancelTimer()
    pending = null
    wait = null
    undo$.set(null)
  }
  const offer = (name: string, take: () => Promise<SaveReport>) => {
    cancelTimer()
    pending = take
    undo$.set({ name, until: clock.now() + undoMs })
    cancelTimer = clock.setTimer(withdraw, undoMs)
  }

  const attempt = async (
    what: Pick<Activity, 'label' | 'names' | 'cli'>,
    resource: Resource,
    send: () => Promise<Saved>,
  ): Promise<SaveReport> => {
    const id = begin(what)
    try {
      const saved = await send()
      end(id, 'ok')
      void records.refresh(outdatedBy(resource.name, { kind: 'done' }))
      return { kind: 'ok', saved }
    } catch (thrown) {
      const error = toAppError(thrown)
      end(id, 'failed', error)
      return { kind: 'failed', error }
    }
  }
  const describe = ({ resource, mode, base, input }: SaveOrder): Pick<Activity, 'label' | 'names' | 'cli'> => ({
    label: { key: actionKey({ resource: resource.name, name: mode }) },
    names: [titleOf(resource, { id: base?.id ?? 0, ...base, ...input })],
    cli: formLine({ resource, mode, base, values: input, view }),
  })

  const takeBack = (take: () => Promise<void>, { base, input, resource }: SaveOrder, id: number) => {
    const names = base ? [titleOf(resource, base)] : []
    const cli = base ? formLine({ resource, mode: 'edit', base: { ...base, ...input }, values: base, view }) : ''
    return attempt({ label: { key: 'ui.commands.undo' }, names, cli }, resource, async () => {
      await take()
      return { id, undo: null, secret: null }
    })
  }
  /** Shows what the calls of an activity will do, and offers to take it back until they are sent. */
  const delay = (resource: Resource, calls: readonly Call[], activity: Pick<Activity, 'id' | 'names'>) => {
    const mine = waiting.add(resource, calls, () => wait === mine && withdraw())
    offer(activity.names.join(', '), async () => {
      mine.takeBack()
      return { kind: 'ok', saved: { id: null, undo: null, secret: null } }
    })
    wait = mine
    return mine.end.then((how) => {
      if (how.kind === 'takenBack') end(activity.id, null)
      else {
        const error = how.kind === 'failed' ? how.error : partlyError(how.failed)
        end(activity.id, error ? 'failed' : 'ok', error)
        void records.refresh([resource.name])
      }
      return how
    })
  }
  return {
    activity$,
    undo$,
    async run(action, rows, ask) {
      const resource = resourceByName(action.resource)
      const ids = rows.map((row) => row.id)
      if (resource && wait?.touches(resource, ids)) await waiting.flush()
      const names = rows.map((row) => view.title(action.resource, row.id) ?? `#${row.id}`)
      const id = begin({ label: { key: actionKey(action) }, names, cli: actionLine(action, rows, view) })
      const calls: Call[] = []
      const api = action.waits ? { send: async (call: Call) => void calls.push(call) } : client
      const context = { api, viewer: session.viewer(), view }
      const report = await runAction({
        action,
        rows,
        context,
        supports: session.supports,
        async ask(question) {
          const values = await ask(question)
          if (values && action.args) change(id, { cli: actionLine(action, rows, view, values) })
          return values
        },
      })
      if (resource && report.kind === 'ok' && calls.length > 0)
        return { kind: 'waits', outcome: report.outcome, end: delay(resource, calls, { id, names }) }
      const error = errorOf(report)
      const isDone = report.kind === 'ok' && (report.outcome.kind === 'done' || report.outcome.kind === 'sent')
      batch(() => {
        end(id, error ? 'failed' : isDone ? 'ok' : null, error)
        if (report.kind === 'ok' && report.outcome.kind === 'done' && report.outcome.removed) {
          records.forget(action.resource, report.outcome.removed)
        }
      })
      if (report.kind === 'ok') void records.refresh(report.refresh)
      return report
    },
    async save(given) {
      // What waits may be the record as it is edited here, and its offer gives way to this one's.
      await waiting.flush()
      // The store's own object changes under the next list answer; what was there before is needed for undo.
      const order = { ...given, base: given.base && { ...given.base } }
      const { resource, mode, base, input } = order
      const report = await attempt(describe(order), resource, () =>
        saveForm({ api: client, resource, mode, base, input, edits, supports: session.supports }),
      )
      if (report.kind === 'ok') {
        const { undo, id } = report.saved
        if (undo && id !== null) offer(nameOf(order, id), () => takeBack(undo, order, id))
        else withdraw()
      }
      return report
    },
    async undo() {
      const take = pending
      if (!take) return null
      if (!wait) withdraw()
      return take()
    },
    waiting,
  }
}

const nameOf = ({ resource, base, input }: SaveOrder, id: number) =>
  base ? titleOf(resource, { ...base, ...input }) : `#${id}`

/** Why a run is listed as failed; null if it is not. */
function errorOf(report: RunReport): AppError | null {
  if (report.kind === 'failed') return report.error
  if (report.kind !== 'ok' || (report.outcome.kind !== 'done' && report.outcome.kind !== 'sent')) return null
  return partlyError(report.outcome.failed)
}

const partlyError = (failed: readonly RowFailure[] = []) => (failed.length > 0 ? new AppError('partial') : null)
