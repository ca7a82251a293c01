import { type Cancel, type Clock, decodedBody, type Edits, same } from '../actions/index.ts'
import { type AnyRow, type ApiPort, atRecord, type Call, type Resource, type RowFailure } from '../define/index.ts'
import { AppError, firstItem, toAppError } from '../errors/index.ts'
import type { Lift } from './collection.ts'
import type { Records } from './records.ts'

/** How something that waited ended. `failed`: the records it was refused for, where it was taken for others; with `error`, for none. */
export type WaitEnd =
  | { kind: 'sent'; failed: readonly RowFailure[] }
  | { kind: 'takenBack' }
  | { kind: 'failed'; error: AppError; failed: readonly RowFailure[] }

/** Something that is agreed to and not sent yet. */
export interface Wait {
  /** Epoch ms of this machine's clock at which it is sent. */
  readonly until: number
  /** Never rejects. */
  readonly end: Promise<WaitEnd>
  /** Cancels the calls and shows the records as they were. Returns false if the calls have left already. */
  takeBack(): boolean
  /** True while it waits and changes one of these records. */
  touches(resource: Resource, ids: readonly number[]): boolean
}

/** Calls that are sent a little later, one order at a time, with their effect on records shown at once (behaviour P-22). */
export interface Waiting {
  /** Sends what waited before at once. `begun` is called when it cannot be taken back any more. */
  add(resource: Resource, calls: readonly Call[], begun: () => void): Wait
  /** Sends all waiting calls at once, and resolves when every call has its answer. `leaving`: the program goes away, so no call waits for another. */
  flush(options?: { leaving?: true }): Promise<void>
  /** Whoever agreed to what waits is not signed in any more: it fails, and nothing of it is sent in somebody else's name. */
  abandon(): void
  /** Size of what waits on the wire, in characters of JSON; a page that is left can send only so much. */
  size(): number
}

/** What it is built from. */
export interface WaitingOptions {
  api: ApiPort
  /** Sends what edits records. */
  edits: Edits
  clock: Clock
  records: Pick<Records, 'overlay' | 'peek'>
}

/** How long something can be taken back (decisions.md "Undo"). */
export const undoMs = 6000

/** One call of an order. `base` is the record that it edits, as it was when somebody decided on it; null if it edits none. */
interface Part {
  readonly call: Call
  readonly base: AnyRow | null
  readonly lift: Lift | null
}

/** The order that waits. */
interface Current {
  send(isLeaving: boolean): void
  fail(error: AppError): void
  readonly parts: readonly Part[]
}

/** Builds an empty one. */
export function createWaiting({ api, edits, clock, records }: WaitingOptions): Waiting {
  let current: Current | null = null
  let sending: Promise<unknown> = Promise.resolve()

  const flush = async ({ leaving = false }: { leaving?: boolean } = {}) => {
    current?.send(leaving)
    await sending
  }

  const partOf = (resource: Resource, call: Call): Part => {
    const change = changeOf(resource, call, (id) => records.peek(resource.name, id))
    if (!change) return { call, base: null, lift: null }
    return { call, base: change.base, lift: records.overlay(resource.name, change.base.id, change.fields) }
  }

  /** Sends one call; a record that it was refused for is shown as the server has it. */
  const attempt = async (resource: Resource, part: Part, leaving: boolean): Promise<RowFailure | null> => {
    const { call, base, lift } = part
    try {
      await (base ? edits.send({ resource, call, base }, { leaving }) : api.send(call))
      lift?.('kept')
      return null
    } catch (thrown) {
      lift?.('undone')
      return { id: base?.id ?? 0, error: toAppError(thrown) }
    }
  }

  const sendAll = async (resource: Resource, parts: readonly Part[], leaving: boolean): Promise<WaitEnd> => {
    const results: (RowFailure | null)[] = leaving
      ? await Promise.all(parts.map((part) => attempt(resource, part, true)))
      : []
    if (!leaving) for (const part of parts) results.push(await attempt(resource, part, false))
    const failed = results.filter((result) => result !== null)
    return failed.length > 0 && failed.length === parts.length
      ? { kind: 'failed', error: firstItem(failed).error, failed }
      : { kind: 'sent', failed }
  }

  return {
    add(resource, calls, begun) {
      void flush()
      const parts = calls.map((call) => partOf(resource, call))
      const undoAll = () => {
        for (const { lift } of parts) lift?.('undone')
      }
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
      const mine: Current = {
        parts,
        send(isLeaving) {
          leave()
          // In the order of what was done, but a page that is left has no time to wait.
          const done = isLeaving ? sendAll(resource, parts, true) : sending.then(() => sendAll(resource, parts, false))
          sending = done.then(settle)
        },
        fail(error) {
          leave()
          undoAll()
          settle({ kind: 'failed', error, failed: parts.map(({ base }) => ({ id: base?.id ?? 0, error })) })
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
          undoAll()
          settle({ kind: 'takenBack' })
          return true
        },
        touches: (other, ids) =>
          current === mine &&
          other.name === resource.name &&
          parts.some(({ base }) => base !== null && ids.includes(base.id)),
      }
    },
    flush,
    abandon: () => current?.fail(new AppError('unauthorized')),
    size: () => current?.parts.reduce((sum, { call }) => sum + JSON.stringify(call).length, 0) ?? 0,
  }
}

/** What an edit will change of its record, by the definition of its wire; null for any other call. */
function changeOf(
  resource: Resource,
  call: Call,
  rowOf: (id: number) => AnyRow | undefined,
): { base: AnyRow; fields: Readonly<Record<string, unknown>> } | null {
  const { wire, input } = resource
  const { method, path } = call
  const id = Number(path.slice(wire.path.length + 1))
  const row = rowOf(id)
  if (!row || method !== wire.calls.edit.method || path !== atRecord(wire.calls.edit, id)) return null
  const decoded = decodedBody(resource, call, id)
  const changed = Object.keys(input.shape).filter((field) => field in decoded && !same(decoded[field], row[field]))
  return { base: { ...row }, fields: Object.fromEntries(changed.map((field) => [field, decoded[field]])) }
}
