import { batch, type Observable, observable } from '@legendapp/state'
import {
  type Cancel,
  createEdits,
  type Question,
  type RunReport,
  runAction,
  type Saved,
  type SaveRequest,
  saveForm,
} from '../actions/index.ts'
import type { Client, Ports } from '../api/index.ts'
import {
  type Action,
  type ActionContext,
  type AnyRow,
  type Call,
  type Outcome,
  type Resource,
  titleOf,
  type Values,
  type View,
} from '../define/index.ts'
import { type AppError, toAppError } from '../errors.ts'
import { resourceByName } from '../resources/index.ts'
import {
  type Activity,
  type ActivityEntry,
  type ActivityInfo,
  activityOf,
  createActivities,
  type SaveOrder,
  savingOf,
  takingBackOf,
} from './activities.ts'
import type { Records } from './records.ts'
import type { Session } from './session.ts'
import { createWaiting, undoMs, type Wait, type WaitEnd, type Waiting } from './waiting.ts'

export interface UndoState {
  name: string
  /** Epoch ms of this machine’s clock. */
  until: number
}

export type SaveReport = { kind: 'ok'; saved: Saved } | { kind: 'failed'; error: AppError }

/** A pending action’s effect is shown already; `end` resolves when it was sent, failed or was undone. */
export type RunnerReport = RunReport | { kind: 'waits'; outcome: Outcome; end: Promise<WaitEnd> }

export interface RunOptions {
  /** Called if an action fails whose arguments were asked. Whether to ask again. */
  refused?(error: AppError): boolean
  /** Wraps each call that isn’t delayed. */
  during?(call: Promise<unknown>): Promise<unknown>
}

export interface Runner {
  activity$: Observable<readonly Activity[]>
  undo$: Observable<UndoState | null>
  run(
    action: Action,
    rows: readonly AnyRow[],
    ask: (question: Question) => Promise<Values | null>,
    options?: RunOptions,
  ): Promise<RunnerReport>
  save(order: SaveOrder): Promise<SaveReport>
  undo(): Promise<SaveReport | null>
  /** Confirmed actions that are not sent yet. */
  readonly waiting: Pick<Waiting, 'flush' | 'abandon' | 'size'>
}

export interface RunnerOptions {
  client: Pick<Client, 'send'>
  clock: Pick<Ports, 'now' | 'setTimer'>
  records: Pick<Records, 'refresh' | 'saved' | 'forget' | 'overlay' | 'peek'>
  session: Pick<Session, 'viewer' | 'supports'>
  view: View
  /** What differs between programs. */
  program?: Pick<ActionContext, 'takesCode'> & Pick<SaveRequest, 'keeps'>
}

export function createRunner({ client, clock, records, session, view, program }: RunnerOptions): Runner {
  const activities = createActivities(clock)
  const undo$ = observable<UndoState | null>(null)
  const edits = createEdits({ api: client, supports: session.supports })
  const waiting = createWaiting({ api: client, edits, clock, records })
  let wait: Wait | null = null
  let pending: (() => Promise<SaveReport>) | null = null
  let cancelTimer: Cancel = () => undefined

  const withdraw = () => {
    cancelTimer()
    pending = null
    wait = null
    undo$.set(null)
  }
  const offerUndo = (name: string, take: () => Promise<SaveReport>) => {
    cancelTimer()
    pending = take
    undo$.set({ name, until: clock.now() + undoMs })
    cancelTimer = clock.setTimer(withdraw, undoMs)
  }

  const attempt = async (info: ActivityInfo, resource: Resource, send: () => Promise<Saved>): Promise<SaveReport> => {
    try {
      const saved = await activities.during(info, send)
      void records.saved(resource.name, saved.row)
      return { kind: 'ok', saved }
    } catch (thrown) {
      return { kind: 'failed', error: toAppError(thrown) }
    }
  }
  const takeBack = (take: NonNullable<Saved['undo']>, order: SaveOrder, id: number) =>
    attempt(takingBackOf(order, view), order.resource, async () => ({
      id,
      row: await take(),
      undo: null,
      secret: null,
    }))
  /** Shows the effect of calls, and offers undo until they are sent. */
  const delay = (resource: Resource, calls: readonly Call[], entry: ActivityEntry, names: readonly string[]) => {
    const mine = waiting.add(resource, calls, () => wait === mine && withdraw())
    offerUndo(names.join(', '), async () => {
      mine.takeBack()
      return { kind: 'ok', saved: { id: null, row: null, undo: null, secret: null } }
    })
    wait = mine
    return mine.end.then((how) => {
      entry.waited(how)
      if (how.kind !== 'takenBack') void records.refresh([resource.name])
      return how
    })
  }
  return {
    activity$: activities.list$,
    undo$,
    async run(action, rows, ask, { refused, during = (call: Promise<unknown>) => call } = {}) {
      const resource = resourceByName(action.resource)
      const ids = rows.map((row) => row.id)
      if (resource && wait?.touches(resource, ids)) await waiting.flush()
      const info = activityOf(action, rows, view)
      const entry = activities.begin(info)
      const calls: Call[] = []
      const send = async (call: Call) => (action.waits ? void calls.push(call) : during(client.send(call)))
      const context = { api: { send }, viewer: session.viewer(), view, ...program }
      let isAnswered = false
      const runOnce = () => {
        isAnswered = false
        calls.length = 0
        return runAction({
          action,
          rows,
          context,
          supports: session.supports,
          async ask(question) {
            const values = await ask(question)
            if (question.args) isAnswered = values !== null
            if (values && question.args) entry.answered(activityOf(action, rows, view, values))
            return values
          },
        })
      }
      let report = await runOnce()
      while (report.kind === 'failed' && isAnswered && refused?.(report.error)) report = await runOnce()
      if (resource && report.kind === 'ok' && calls.length > 0)
        return { kind: 'waits', outcome: report.outcome, end: delay(resource, calls, entry, info.names) }
      batch(() => {
        entry.ran(report)
        if (report.kind === 'ok' && report.outcome.kind === 'done' && report.outcome.removed) {
          records.forget(action.resource, report.outcome.removed)
        }
      })
      if (report.kind === 'ok') void records.refresh(report.refresh)
      return report
    },
    async save(given) {
      // Send pending actions first: they may edit the same record, and only one undo is offered.
      await waiting.flush()
      // Copy the record for undo: the next response changes the store’s object.
      const order = { ...given, base: given.base && { ...given.base } }
      const report = await attempt(savingOf(order, view), order.resource, () =>
        saveForm({ ...order, ...program, api: client, edits, supports: session.supports, wantsRow: true }),
      )
      if (report.kind === 'ok') {
        const { undo, id } = report.saved
        if (undo && id !== null) offerUndo(nameOf(order, id), () => takeBack(undo, order, id))
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
