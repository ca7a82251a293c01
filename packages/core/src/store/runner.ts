import { batch, type Observable, observable } from '@legendapp/state'
import {
  actionLine,
  type Cancel,
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
import { type Action, type AnyRow, actionKey, type Resource, titleOf, type Values, type View } from '../define/index.ts'
import { type AppError, toAppError } from '../errors/index.ts'
import type { Records } from './records.ts'
import type { Session } from './session.ts'

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

/** A saved edit that can be taken back for a few seconds more. */
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

/** Runs actions and saves forms for a front end: keeps lists true, offers undo, keeps the list of what was done. */
export interface Runner {
  /** Newest first. */
  activity$: Observable<readonly Activity[]>
  undo$: Observable<UndoOffer | null>
  /** Never rejects. */
  run(action: Action, rows: readonly AnyRow[], ask: (question: Question) => Promise<Values | null>): Promise<RunReport>
  save(order: SaveOrder): Promise<SaveReport>
  /** Takes the last saved edit back; null where there is none to take back any more. */
  undo(): Promise<SaveReport | null>
}

/** What a runner is built from. */
export interface RunnerOptions {
  client: Pick<Client, 'send'>
  clock: Pick<Ports, 'now' | 'setTimer'>
  records: Pick<Records, 'refresh' | 'forget'>
  session: Pick<Session, 'viewer' | 'supports'>
  view: View
}

/** How long a saved edit can be taken back (decisions.md "Undo"). */
const undoMs = 6000
const maxActivities = 100

/** Builds a runner. */
export function createRunner({ client, clock, records, session, view }: RunnerOptions): Runner {
  const activity$ = observable<readonly Activity[]>([])
  const undo$ = observable<UndoOffer | null>(null)
  let pending: { take: () => Promise<void>; order: SaveOrder; id: number } | null = null
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
    undo$.set(null)
  }
  const offer = (take: () => Promise<void>, order: SaveOrder, id: number) => {
    cancelTimer()
    pending = { take, order, id }
    undo$.set({
      name: order.base ? titleOf(order.resource, { ...order.base, ...order.input }) : `#${id}`,
      until: clock.now() + undoMs,
    })
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

  return {
    activity$,
    undo$,
    async run(action, rows, ask) {
      const id = begin({
        label: { key: actionKey(action) },
        names: rows.map((row) => view.title(action.resource, row.id) ?? `#${row.id}`),
        cli: actionLine(action, rows, view),
      })
      const context = { api: client, viewer: session.viewer(), view }
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
      const isDone = report.kind === 'ok' && (report.outcome.kind === 'done' || report.outcome.kind === 'sent')
      batch(() => {
        end(
          id,
          report.kind === 'failed' ? 'failed' : isDone ? 'ok' : null,
          report.kind === 'failed' ? report.error : null,
        )
        if (report.kind === 'ok' && report.outcome.kind === 'done' && report.outcome.removed) {
          records.forget(action.resource, report.outcome.removed)
        }
      })
      if (report.kind === 'ok') void records.refresh(report.refresh)
      return report
    },
    async save(given) {
      // The store's own object changes under the next list answer; what was there before is needed for undo.
      const order = { ...given, base: given.base && { ...given.base } }
      const { resource, mode, base, input } = order
      const report = await attempt(describe(order), resource, () =>
        saveForm({ api: client, resource, mode, base, input, supports: session.supports }),
      )
      if (report.kind === 'ok') {
        const { undo, id } = report.saved
        if (undo && id !== null) offer(undo, order, id)
        else withdraw()
      }
      return report
    },
    async undo() {
      if (!pending) return null
      const { take, order, id } = pending
      withdraw()
      const { base, resource } = order
      const names = base ? [titleOf(resource, base)] : []
      const cli = base
        ? formLine({ resource, mode: 'edit', base: { ...base, ...order.input }, values: base, view })
        : ''
      return attempt({ label: { key: 'ui.commands.undo' }, names, cli }, resource, async () => {
        await take()
        return { id, undo: null, secret: null }
      })
    },
  }
}
