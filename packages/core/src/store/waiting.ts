import { type Cancel, type Clock, same } from '../actions/index.ts'
import type { AnyRow, ApiPort, Call, Resource } from '../define/index.ts'
import { type AppError, toAppError } from '../errors/index.ts'
import type { Records } from './records.ts'

/** How something that waited ended. */
export type WaitEnd = { kind: 'sent' } | { kind: 'takenBack' } | { kind: 'failed'; error: AppError }

/** Something that is agreed to and not sent yet. */
export interface Wait {
  /** Epoch ms of this machine's clock at which it is sent. */
  readonly until: number
  /** Never rejects. */
  readonly end: Promise<WaitEnd>
  /** Nothing of it is sent, and the records are as they were; false where it is too late. */
  takeBack(): boolean
  /** True while it waits and changes one of these records. */
  touches(resource: Resource, ids: readonly number[]): boolean
}

/** Calls that are sent a little later, one order at a time, with their effect on records shown at once (behaviour P-22). */
export interface Waiting {
  /** Sends what waited before at once. `begun` is called when it cannot be taken back any more. */
  add(resource: Resource, calls: readonly Call[], begun: () => void): Wait
  /** Sends at once what waits, and resolves when everything is answered. `leaving`: the program goes away, so no call waits for another. */
  flush(options?: { leaving?: true }): Promise<void>
}

/** What it is built from. */
export interface WaitingOptions {
  api: ApiPort
  clock: Clock
  records: Pick<Records, 'overlay' | 'peek'>
}

/** How long something can be taken back (decisions.md "Undo"). */
export const undoMs = 6000

/** Builds an empty one. */
export function createWaiting({ api, clock, records }: WaitingOptions): Waiting {
  let current: { send(isLeaving: boolean): void } | null = null
  let sending: Promise<unknown> = Promise.resolve()

  const sendAll = async (calls: readonly Call[], isLeaving: boolean) => {
    if (isLeaving) await Promise.all(calls.map((call) => api.send(call)))
    else for (const call of calls) await api.send(call)
  }
  const flush = async ({ leaving = false }: { leaving?: boolean } = {}) => {
    current?.send(leaving)
    await sending
  }

  return {
    add(resource, calls, begun) {
      void flush()
      const changes = changesOf(resource, calls, (id) => records.peek(resource.name, id))
      const lifts = changes.map(({ id, fields }) => records.overlay(resource.name, id, fields))
      let settle: (end: WaitEnd) => void = () => undefined
      const end = new Promise<WaitEnd>((resolve) => {
        settle = resolve
      })
      let cancel: Cancel = () => undefined
      const leave = () => {
        cancel()
        current = null
        begun()
      }
      const attempt = async (isLeaving: boolean): Promise<WaitEnd> => {
        try {
          await sendAll(calls, isLeaving)
          for (const lift of lifts) lift('kept')
          return { kind: 'sent' }
        } catch (thrown) {
          for (const lift of lifts) lift('undone')
          return { kind: 'failed', error: toAppError(thrown) }
        }
      }
      const mine = {
        send(isLeaving: boolean) {
          leave()
          // In the order of what was done, but a page that is left has no time to wait.
          const done = isLeaving ? attempt(true) : sending.then(() => attempt(false))
          sending = done.then(settle)
        },
      }
      current = mine
      cancel = clock.setTimer(() => mine.send(false), undoMs)
      return {
        until: clock.now() + undoMs,
        end,
        takeBack() {
          if (current !== mine) return false
          leave()
          for (const lift of lifts) lift('undone')
          settle({ kind: 'takenBack' })
          return true
        },
        touches: (other, ids) =>
          current === mine && other.name === resource.name && changes.some(({ id }) => ids.includes(id)),
      }
    },
    flush,
  }
}

/** What edits among the calls will change of the records, by the definition of their wire. */
function changesOf({ wire, input }: Resource, calls: readonly Call[], rowOf: (id: number) => AnyRow | undefined) {
  return calls.flatMap(({ method, path, body }) => {
    const id = Number(path.slice(wire.path.length + 1))
    const row = rowOf(id)
    if (!row || method !== wire.editMethod || path !== `${wire.path}/${id}`) return []
    const decoded = wire.decode({ ...(body as object), id }) as Record<string, unknown>
    const changed = Object.keys(input.shape).filter((field) => field in decoded && !same(decoded[field], row[field]))
    return [{ id, fields: Object.fromEntries(changed.map((field) => [field, decoded[field]])) }]
  })
}
