import { useValue } from '@legendapp/state/react'
import {
  type Question,
  questionOf,
  type SearchEntry,
  type SearchGroup,
  type SearchHit,
  type SearchResult,
  startingWith,
} from '@qd/core/actions'
import { type Action, type AnyRow, type FieldKind, fieldOf, type Resource, type Values } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { resourceByName, resources } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { createArgumentsForm, type FormModel } from '@qd/core/view'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { openFiles } from '../../base/state/open-files.ts'
import { type Overlays, overlays$ } from '../../base/state/overlays.ts'
import { page$, pageResource, pageRows } from '../../base/state/page.ts'
import { actionContext, records } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'
import { choose, chooseGiven } from './choose.ts'
import { frecency, search } from './search.ts'

interface Asking {
  question: Question
  form: FormModel
}

const maxArguments = 3
const asked: readonly FieldKind[] = ['text', 'address', 'command', 'number', 'duration', 'bytes', 'choice', 'ref']

/** Starts asking in the palette if there are few arguments; null otherwise. Errors: AppError. */
async function askInPalette(
  action: Action,
  rows: readonly AnyRow[],
  given: Values | undefined,
): Promise<Asking | null> {
  const { args } = action
  const resource = resourceByName(action.resource)
  const context = actionContext()
  const question = args && resource ? questionOf(action, resource, rows, context) : null
  // An action that brings a record has its own dialog, which waits for it.
  if (!args || !resource || !question || action.brings) return null
  const fields = args.form.flatMap((group) => group.fields)
  if (fields.length > maxArguments || fields.some(({ field }) => !asked.includes(fieldOf(args, field).kind)))
    return null
  const start = await startingWith(question, given).start()
  const { view, viewer } = context
  return {
    question,
    form: createArgumentsForm({ action, args, resource, rows, start, view, viewer, translator: texts().translator }),
  }
}

export interface Scope {
  resource: Resource
  rows: readonly AnyRow[]
}

/** An entry may be in two groups. */
export const lineValue = (group: string, entry: SearchEntry) => `${group}/${entry.key}`

export type PaletteState = ReturnType<typeof usePalette>

const many = resources.filter(({ wire }) => wire.shape === 'many')

function pageScope(): Scope | null {
  const resource = pageResource()
  const rows = pageRows()
  return resource && rows.length > 0 ? { resource, rows } : null
}

const linesAtOnce = 12

function firstLines(groups: readonly SearchGroup[]): SearchGroup[] {
  let left = linesAtOnce
  return groups.flatMap((group) => {
    const hits = group.hits.slice(0, left)
    left -= hits.length
    return hits.length > 0 ? [{ ...group, hits }] : []
  })
}

type Mode = NonNullable<Overlays['palette']>['mode']

function narrow(mode: Mode, result: SearchResult): SearchResult {
  if (mode === 'all' || mode === 'actions') return result
  const isWanted = ({ entry: { goal } }: SearchHit) =>
    mode === 'scope' || (goal.kind === 'action' && goal.action.name.startsWith('copy-'))
  const groups = result.groups
    .filter(({ key }) => key === 'scope')
    .map((group) => ({ ...group, hits: group.hits.filter(isWanted) }))
    .filter(({ hits }) => hits.length > 0)
  return { ...result, groups, total: groups.reduce((sum, { hits }) => sum + hits.length, 0) }
}

/** Closes the palette and waits for the focus to return. */
function close(): Promise<void> {
  overlays$.palette.set(null)
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

export function usePalette(mode: Mode) {
  const [query, setQuery] = useState(mode === 'actions' ? '>' : '')
  const [scope, setScope] = useState(pageScope)
  const [picking, setPicking] = useState<{ action: Action; from: string } | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [wanted, select] = useState('')
  const [opening] = useState(() => overlays$.palette.peek())
  const isOpen = () => overlays$.palette.peek() === opening
  const [busy, setBusy] = useState<string | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  const versions = useValue(() => many.map(({ name }) => records.version$(name).get()).join(' '))
  const isLoading = useValue(() =>
    many.some(({ name }) => {
      const { status, loadedAt } = records.list$(name).get()
      return status === 'loading' && loadedAt === null
    }),
  )
  const pick = picking?.action ?? null
  useEffect(() => loadMissing(records, resources), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the versions stand for the records that are searched
  const result = useMemo(() => {
    const found = search.query({
      query,
      scope,
      here: page$.peek().resource,
      pick,
      files: openFiles()?.folder() ?? null,
    })
    return pick || query !== '' ? found : narrow(mode, found)
  }, [query, scope, pick, mode, versions])
  const isSettled = useDeferredValue(result) === result
  const groups = useMemo(() => (isSettled ? result.groups : firstLines(result.groups)), [result, isSettled])
  const values = useMemo(
    () => new Map(result.groups.flatMap(({ key, hits }) => hits.map(({ entry }) => [lineValue(key, entry), entry]))),
    [result],
  )
  const [first = ''] = [...values].flatMap(([value, { reason }]) => (reason ? [] : [value]))
  const selected = values.has(wanted) ? wanted : first

  const type = (text: string) => {
    setQuery(text)
    select('')
    setError(null)
  }
  const back = () => {
    setError(null)
    if (asking) setAsking(null)
    else if (picking) {
      setPicking(null)
      type(picking.from)
    } else if (query !== '') type('')
    else return false
    return true
  }
  const take = async (entry: SearchEntry) => {
    if (entry.reason || busy) return
    if (entry.goal.kind === 'pick') {
      setPicking({ action: entry.goal.action, from: query })
      return type('')
    }
    setBusy(entry.key)
    await begin(entry)
    setBusy(null)
  }
  /** Asks for arguments in the palette if possible, else runs the entry. */
  const begin = async (entry: SearchEntry) => {
    const { goal } = entry
    try {
      const asked = goal.kind === 'action' ? await askInPalette(goal.action, goal.rows, goal.given) : null
      if (asked) setAsking(asked)
      else
        setError(
          await choose(entry, {
            isOpen,
            close() {
              frecency.use(entry.key)
              return close()
            },
          }),
        )
    } catch (thrown) {
      setError(toAppError(thrown))
    }
  }
  const answer = async (values: Values) => {
    if (!asking) return
    const { action, rows } = asking.question
    const failure = await chooseGiven(action, rows, values, {
      isOpen,
      close() {
        frecency.use(`action:${action.resource}.${action.name}`)
        return close()
      },
    })
    if (failure) setAsking(null)
    setError(failure)
  }
  return {
    query,
    type,
    scope,
    dropScope: () => setScope(null),
    pick,
    asking,
    answer: (values: Values) => void answer(values),
    result,
    /** Lists are loading, so results may be incomplete. */
    isLoading,
    /** Groups to draw at once; the rest follows when idle. */
    groups,
    selected,
    select,
    entry: values.get(selected) ?? null,
    take: (entry: SearchEntry) => void take(entry),
    enter({ goal }: SearchEntry) {
      const row = goal.kind === 'record' ? records.peek(goal.resource, goal.id) : undefined
      if (goal.kind !== 'record' || !row) return false
      setScope({ resource: resourceByName(goal.resource), rows: [row] })
      type('')
      return true
    },
    /** One page back; false on the first. */
    back,
    busy,
    error,
  }
}
