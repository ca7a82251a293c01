import { type Cancel, type Clock, decodedBody, type Edits, same } from '../actions/index.ts'
import { type AnyRow, type ApiPort, atRecord, type Call, type Resource, type RowFailure } from '../define/index.ts'
import { AppError, firstItem, toAppError } from '../errors.ts'
import type { Lift } from './collection.ts'
import type { Records } from './records.ts'

/** `failed`: the records that were refused; with `error`, all of them. */
export type WaitEnd =
  | { kind: 'sent'; failed: readonly RowFailure[] }
  | { kind: 'takenBack' }
  | { kind: 'failed'; error: AppError; failed: readonly RowFailure[] }

export interface Wait {
  /** Epoch ms of this machine’s clock when it is sent. */
  readonly until: number
  readonly end: Promise<WaitEnd>
  /** Cancels the calls and restores the records. False if they were sent already. */
  takeBack(): boolean
  /** Whether it is pending and changes one of these records. */
  touches(resource: Resource, ids: readonly number[]): boolean
}

/** Delays calls, one action at a time, and shows their effect at once (behavior P-22). */
export interface Waiting {
  /** Sends earlier pending calls at once. `begun` is called when undo is no longer possible. */
  add(resource: Resource, calls: readonly Call[], begun: () => void): Wait
  /** Sends everything and waits for the responses. `leaving`: the program exits, so calls are sent concurrently. */
  flush(options?: { leaving?: true }): Promise<void>
  /** The user signed out: pending actions fail rather than run in another user’s name. */
  abandon(): void
  /** Characters of pending JSON; a page that closes can send only so much. */
  size(): number
}

export interface WaitingOptions {
  api: ApiPort
  edits: Edits
  clock: Clock
  records: Pick<Records, 'overlay' | 'peek'>
}

/** How long an action can be undone (decisions.md "Undo"). */
export const undoMs = 6000

/** A call. `base` is the record that it edits, as it was when the user decided; null if it edits none. */
interface Part {
  readonly call: Call
  readonly base: AnyRow | null
  readonly lift: Lift | null
}

interface Current {
  send(isLeaving: boolean): void
  fail(error: AppError): void
  readonly parts: readonly Part[]
}

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
          // Keep the order of actions; a closing page has no time for that.
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
