import { type AppError, toAppError } from '../../errors.ts'
import { type FolderEntry, filterFolder, findByName, isFolder, orderFolder } from './folder-order.ts'
import { isAbsolute, isTypedPath, joinPath, lastName, normalPath, parentPath, resolvePath } from './paths.ts'

export interface BrowserState<Entry extends FolderEntry = FolderEntry> {
  readonly status: 'opening' | 'loading' | 'ready' | 'failed'
  readonly path: string
  /** `shown`: what the filter leaves of `entries`. */
  readonly entries: readonly Entry[]
  readonly shown: readonly Entry[]
  readonly filter: string
  /** Letters of type-ahead; null while it is off. */
  readonly find: string | null
  /** Whether a name has those letters, or none were typed. */
  readonly isFound: boolean
  readonly cursor: number
  readonly marks: ReadonlySet<string>
  /** The folder that the agent couldn’t read, so that it listed another one (behavior W-19). */
  readonly refused: string | null
  readonly error: AppError | null
  readonly isCut: boolean
  /** Home folder of the agent’s user; null until known. */
  readonly home: string | null
  readonly canGoBack: boolean
  readonly canGoForward: boolean
}

/** Navigation through a server’s folders. Nothing rejects: errors are part of the state. */
export interface FileBrowser<Entry extends FolderEntry = FolderEntry> {
  /** The same object until something changes. */
  state(): BrowserState<Entry>
  subscribe(listener: () => void): () => void
  /** A typed path: relative, with `~`, quoted. Empty: the home folder at first, later the current one. A file’s path goes to its folder and the file. */
  go(typed: string): Promise<void>
  enter(name: string): Promise<void>
  up(): Promise<void>
  back(): Promise<void>
  forward(): Promise<void>
  refresh(): Promise<void>
  retry(): Promise<unknown>
  setFilter(filter: string): void
  /** Type-ahead: null ends it. Letters typed before a folder has loaded wait for it. */
  setFind(find: string | null): void
  /** Ends type-ahead; true if the cursor is on the name. A typed path opens that path instead; without a match type-ahead stays. */
  takeFind(): Promise<boolean>
  findNext(step: 1 | -1): void
  moveTo(index: number): void
  move(by: number): void
  toggleMark(): void
  /** Selects from the last selected entry to the cursor. */
  markRange(): void
  markAll(): void
  clearMarks(): void
  /** The selected entries, else the one under the cursor. */
  chosen(): readonly Entry[]
  current(): Entry | null
}

/** `list`: an empty path is the home folder. `onArrive` is called with each folder shown. */
export function createFileBrowser<Entry extends FolderEntry>({
  list,
  onArrive = () => undefined,
}: {
  list(path: string): Promise<Listing<Entry>>
  onArrive?(path: string): void
}): FileBrowser<Entry> {
  let state: BrowserState<Entry> = {
    status: 'opening',
    path: '',
    entries: [],
    shown: [],
    filter: '',
    find: null,
    isFound: true,
    cursor: -1,
    marks: new Set(),
    refused: null,
    error: null,
    isCut: false,
    home: null,
    canGoBack: false,
    canGoForward: false,
  }
  let behind: readonly string[] = []
  let ahead: readonly string[] = []
  /** Number of the newest request; responses to earlier ones are ignored. */
  let turn = 0
  let underway: Promise<void> = Promise.resolve()
  let anchor: string | null = null
  const listeners = new Set<() => void>()

  const change = (part: Partial<BrowserState<Entry>>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const placeOf = (shown: readonly Entry[], name: string | undefined, otherwise: number) => {
    const found = name === undefined ? -1 : shown.findIndex((entry) => entry.name === name)
    return found >= 0 ? found : Math.min(Math.max(0, otherwise), shown.length - 1)
  }
  const current = () => state.shown[state.cursor] ?? null

  /** Loads a folder. `steps` updates the history once it has loaded; without it the same folder is reloaded. */
  const load = (asked: string, how: { focus?: string; orFile?: boolean; steps?: (from: string) => void } = {}) => {
    const mine = ++turn
    change({
      status: state.status === 'opening' ? 'opening' : 'loading',
      ...(how.steps && { find: null, isFound: true }),
    })
    underway = answerTo(asked, how, () => mine === turn)
    return underway
  }
  const answerTo = async (
    asked: string,
    { focus, orFile, steps }: { focus?: string; orFile?: boolean; steps?: (from: string) => void },
    isAwaited: () => boolean,
  ) => {
    try {
      const answer = await list(asked)
      const isRefused = orFile && asked !== '' && normalPath(answer.path) !== normalPath(asked)
      const around = isRefused ? await listAround(list, normalPath(asked)) : null
      if (!isAwaited()) return
      if (around) arrive(around.path, around, { focus: lastName(asked), steps })
      else arrive(asked, answer, { focus, steps })
    } catch (thrown) {
      if (isAwaited()) change({ status: 'failed', error: toAppError(thrown) })
    }
  }
  const arrive = (
    asked: string,
    answer: Listing<Entry>,
    { focus, steps }: { focus: string | undefined; steps: ((from: string) => void) | undefined },
  ) => {
    const path = normalPath(answer.path)
    const from = state.path
    const isSame = path === from
    const isOther = asked !== '' && normalPath(asked) !== path
    const entries = orderFolder(answer.entries)
    const filter = isSame ? state.filter : ''
    const shown = filterFolder(entries, filter)
    if (!isSame && from !== '') steps?.(from)
    if (!isSame) anchor = null
    const names = new Set(entries.map(({ name }) => name))
    const found = state.find ? findByName(shown, state.find) : null
    const cursor = isSame ? placeOf(shown, current()?.name, state.cursor) : placeOf(shown, focus, 0)
    change({
      status: 'ready',
      path,
      entries,
      shown,
      filter,
      isFound: !state.find || found !== null,
      cursor: isSame ? cursor : (found ?? cursor),
      marks: isSame ? new Set([...state.marks].filter((name) => names.has(name))) : new Set(),
      refused: isOther ? normalPath(asked) : null,
      error: null,
      isCut: answer.isCut ?? false,
      home: asked === '' || isOther ? path : state.home,
      canGoBack: behind.length > 0,
      canGoForward: ahead.length > 0,
    })
    // Don’t remember a fallback folder as visited: the user didn’t ask for it.
    if (!isOther) onArrive(path)
  }
  const onward = (from: string) => {
    behind = [...behind, from]
    ahead = []
  }
  const go = async (typed: string) => {
    let path = resolvePath(typed, { folder: state.path, home: state.home })
    if (path.startsWith('~') && state.home === null) {
      // Ask the server for the home folder by the empty path, without showing it.
      const mine = ++turn
      change({ status: state.status === 'opening' ? 'opening' : 'loading' })
      try {
        const home = normalPath((await list('')).path)
        if (mine !== turn) return
        change({ home })
        path = resolvePath(typed, { folder: state.path, home: state.home })
      } catch (thrown) {
        if (mine === turn) change({ status: 'failed', error: toAppError(thrown) })
        return
      }
    }
    // Before the first response there is no folder for a relative path.
    await load(path !== '' && !isAbsolute(path) ? `/${path}` : path, { steps: onward, orFile: true })
  }
  const show = (part: Pick<BrowserState<Entry>, 'filter'>) => {
    const shown = filterFolder(state.entries, part.filter)
    change({ ...part, shown, cursor: placeOf(shown, current()?.name, 0) })
  }
  const inList = (index: number) => Math.min(Math.max(0, index), state.shown.length - 1)
  const move = (by: number) => change({ cursor: inList(state.cursor + by) })

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    go,
    enter: (name) => load(joinPath(state.path, name), { steps: onward }),
    async up() {
      const parent = parentPath(state.path)
      if (parent !== null) await load(parent, { focus: lastName(state.path), steps: onward })
    },
    async back() {
      const path = behind.at(-1)
      if (path === undefined) return
      const steps = (from: string) => {
        behind = behind.slice(0, -1)
        ahead = [...ahead, from]
      }
      await load(path, { focus: lastName(state.path), steps })
    },
    async forward() {
      const path = ahead.at(-1)
      if (path === undefined) return
      const steps = (from: string) => {
        ahead = ahead.slice(0, -1)
        behind = [...behind, from]
      }
      await load(path, { steps })
    },
    refresh: () => load(state.path),
    retry: async () => state.status === 'failed' && (state.path === '' ? go('') : load(state.path)),
    setFilter: (filter) => show({ filter }),
    setFind(find) {
      const found = find ? findByName(state.shown, find, Math.max(0, state.cursor)) : null
      change({ find, isFound: !find || found !== null, ...(found !== null && { cursor: found }) })
    },
    async takeFind() {
      const { find } = state
      if (find === null) return true
      if (isTypedPath(find, state.path)) {
        await go(find)
        return false
      }
      await underway
      if (state.isFound) change({ find: null })
      return state.isFound
    },
    findNext(step) {
      if (state.find === null || state.find === '') return move(step)
      const { shown, cursor, find } = state
      if (step === 1) {
        const found = findByName(shown, find, (cursor + 1) % Math.max(1, shown.length))
        if (found !== null) change({ cursor: found })
        return
      }
      const found = findByName([...shown].reverse(), find, (shown.length - cursor) % Math.max(1, shown.length))
      if (found !== null) change({ cursor: shown.length - 1 - found })
    },
    moveTo: (index) => change({ cursor: inList(index), find: null, isFound: true }),
    move,
    toggleMark() {
      const entry = current()
      if (!entry) return
      const marks = new Set(state.marks)
      if (!marks.delete(entry.name)) marks.add(entry.name)
      anchor = entry.name
      change({ marks })
    },
    markRange() {
      const { shown, cursor, marks } = state
      if (cursor < 0) return
      const from = placeOf(shown, anchor ?? undefined, cursor)
      const range = shown.slice(Math.min(from, cursor), Math.max(from, cursor) + 1)
      change({ marks: new Set([...marks, ...range.map(({ name }) => name)]) })
    },
    markAll() {
      const { shown, marks } = state
      const names = shown.map(({ name }) => name)
      const isAll = names.every((name) => marks.has(name))
      change({
        marks: isAll ? new Set([...marks].filter((name) => !names.includes(name))) : new Set([...marks, ...names]),
      })
    },
    clearMarks: () => change({ marks: new Set() }),
    chosen() {
      const { entries, marks } = state
      const entry = current()
      return marks.size > 0 ? entries.filter(({ name }) => marks.has(name)) : entry ? [entry] : []
    },
    current,
  }
}

/** `path` may differ from the requested one. */
interface Listing<Entry extends FolderEntry = FolderEntry> {
  readonly path: string
  readonly entries: readonly Entry[]
  readonly isCut?: boolean
}

/** The folder of a file, if a list of the file’s path returned another folder; null if there is no such file. */
export async function listAround<Answer extends Listing>(
  list: (path: string) => Promise<Answer>,
  path: string,
): Promise<Answer | null> {
  const parent = parentPath(path)
  if (parent === null) return null
  const around = await list(parent)
  const isThere = around.entries.some((entry) => entry.name === lastName(path) && !isFolder(entry))
  return isThere && normalPath(around.path) === parent ? around : null
}
