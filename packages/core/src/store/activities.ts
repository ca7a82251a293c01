import { type Observable, observable } from '@legendapp/state'
import { actionLine, formLine, namedBy, type RunReport, type TextRef } from '../actions/index.ts'
import type { Ports } from '../api/index.ts'
import {
  type Action,
  type AnyRow,
  actionKey,
  type Resource,
  type RowFailure,
  titleOf,
  type Values,
  type View,
} from '../define/index.ts'
import { AppError, toAppError } from '../errors.ts'
import type { WaitEnd } from './waiting.ts'

export interface Activity {
  id: number
  /** Epoch ms of this machine’s clock. */
  at: number
  label: TextRef
  names: readonly string[]
  cli: string
  status: 'running' | 'ok' | 'failed'
  error: AppError | null
}

export type ActivityInfo = Pick<Activity, 'label' | 'names' | 'cli'>

export interface ActivityEntry {
  /** Updates names and CLI command once its question is answered. */
  answered(info: ActivityInfo): void
  /** Removes actions that did nothing (canceled, opened or copied something). */
  ran(report: RunReport): void
  /** Removes an action that was undone. */
  waited(end: WaitEnd): void
}

/** The actions of this session (behavior P-23). */
export interface Activities {
  /** Newest first, the last hundred. */
  list$: Observable<readonly Activity[]>
  begin(info: ActivityInfo): ActivityEntry
  /** Lists the action while `work` runs, and its outcome. Errors: those of `work`. */
  during<Value>(info: ActivityInfo, work: () => Promise<Value>): Promise<Value>
}

const maxActivities = 100

export function createActivities(clock: Pick<Ports, 'now'>): Activities {
  const list$ = observable<readonly Activity[]>([])
  let count = 0
  const begin = (info: ActivityInfo) => {
    count += 1
    const id = count
    const begun: Activity = { ...info, id, at: clock.now(), status: 'running', error: null }
    list$.set([begun, ...list$.peek()].slice(0, maxActivities))
    const change = (what: Partial<Activity>) =>
      list$.set(list$.peek().map((one) => (one.id === id ? { ...one, ...what } : one)))
    return {
      answered: ({ names, cli }: ActivityInfo) => change({ names, cli }),
      end: (error: AppError | null) => change({ status: error ? 'failed' : 'ok', error }),
      leave: () => list$.set(list$.peek().filter((one) => one.id !== id)),
    }
  }
  return {
    list$,
    begin(info) {
      const { answered, end, leave } = begin(info)
      return {
        answered,
        ran(report) {
          if (report.kind === 'failed') end(report.error)
          else if (report.kind !== 'ok' || (report.outcome.kind !== 'done' && report.outcome.kind !== 'sent')) leave()
          else end(partlyError(report.outcome.failed))
        },
        waited(how) {
          if (how.kind === 'takenBack') leave()
          else end(how.kind === 'failed' ? how.error : partlyError(how.failed))
        },
      }
    },
    async during(info, work) {
      const { end } = begin(info)
      try {
        const value = await work()
        end(null)
        return value
      } catch (thrown) {
        end(toAppError(thrown))
        throw thrown
      }
    },
  }
}

/** `base` is the record with which the form was opened. */
export interface SaveOrder {
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  base: AnyRow | null
  input: Readonly<Record<string, unknown>>
}

export function activityOf(action: Action, rows: readonly AnyRow[], view: View, values?: Values): ActivityInfo {
  const named = values ? namedBy(action, values) : ''
  return {
    label: { key: actionKey(action) },
    names: named === '' ? rows.map((row) => view.title(action.resource, row.id) ?? `#${row.id}`) : [named],
    cli: actionLine(action, rows, view, values),
  }
}

export function savingOf({ resource, mode, base, input }: SaveOrder, view: View): ActivityInfo {
  return {
    label: { key: actionKey({ resource: resource.name, name: mode }) },
    names: [titleOf(resource, { id: base?.id ?? 0, ...base, ...input })],
    cli: formLine({ resource, mode, base, values: input, view }),
  }
}

export function takingBackOf({ resource, base, input }: SaveOrder, view: View): ActivityInfo {
  return {
    label: { key: 'ui.commands.undo' },
    names: base ? [titleOf(resource, base)] : [],
    cli: base ? formLine({ resource, mode: 'edit', base: { ...base, ...input }, values: base, view }) : '',
  }
}

const partlyError = (failed: readonly RowFailure[] = []) => (failed.length > 0 ? new AppError('partial') : null)
