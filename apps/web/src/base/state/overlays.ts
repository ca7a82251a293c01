import { type Observable, observable } from '@legendapp/state'
import type { Question } from '@qd/core/actions'
import type { Outcome, ReportLine, ResourceName, Values } from '@qd/core/define'

/** A form that is open over the page. `id` is the record that is edited or duplicated. */
export interface OpenForm {
  resource: ResourceName
  mode: 'create' | 'edit' | 'duplicate'
  id: number | null
  /** What a new record is to be called. */
  title?: string
}

/** What floats over the page. Palette, forms, confirms and the key sheet are fetched when somebody is at the page and draw what stands here. */
export interface Overlays {
  /** `actions`: opened by `:`, only actions are offered; `scope` (`.`) and `copy` (`y`): those on the marked or focused rows. */
  palette: { mode: 'all' | 'actions' | 'scope' | 'copy' } | null
  form: OpenForm | null
  keys: boolean
  /** A text that is never shown again, with the field it belongs to. */
  secret: Extract<Outcome, { kind: 'secret' }> | null
  /** What was done in this session. */
  activity: boolean
  report: ShownReport | null
  /** The files of a server, over the page. `path` empty: the home folder of the agent's user. */
  files: { server: number; path: string } | null
}

/** What an action answered, to read: its lines, and the answer itself for a view of its own. */
export interface ShownReport {
  title: string
  lines: readonly ReportLine[]
  resource: ResourceName
  action: string
  answer: unknown
}

export const noOverlays: Overlays = {
  palette: null,
  form: null,
  keys: false,
  secret: null,
  activity: false,
  report: null,
  files: null,
}

/** What floats over the page now. */
export const overlays$: Observable<Overlays> = observable<Overlays>({ ...noOverlays })

/** A question that waits for its answer: the arguments, or null for "do not". */
export interface PendingQuestion {
  question: Question
  answer(values: Values | null): void
  /** What it starts with could not be read; the question is over. */
  fail(thrown: unknown): void
}

const listeners = new Set<() => void>()
let asked: PendingQuestion | null = null

/** For `useSyncExternalStore`: the question on screen. A question holds functions, so it is not an observable. */
export const questions = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): PendingQuestion | null => asked,
}

/** Shows a question and resolves with its answer. A second one cancels the first. Errors: what kept it from being asked. */
export function ask(question: Question): Promise<Values | null> {
  asked?.answer(null)
  return new Promise((resolve, reject) => {
    const end = () => {
      if (asked === mine) asked = null
      for (const listener of listeners) listener()
    }
    const mine: PendingQuestion = {
      question,
      answer(values) {
        end()
        resolve(values)
      },
      fail(thrown) {
        end()
        reject(thrown)
      },
    }
    asked = mine
    for (const listener of listeners) listener()
  })
}

/** A short message that goes by itself. */
export interface Notice {
  tone: 'plain' | 'ok' | 'warn' | 'bad'
  title: string
  details?: readonly string[]
  /** What was saved can be taken back while the runner offers it; by the message and by `z`. */
  canUndo?: boolean
  /** What it is about: it takes the place of an earlier message about the same. */
  about?: string
  /** A run of the ledger whose progress it follows. */
  run?: number
  /** Somewhere to go, e.g. the run that was started. */
  link?: { label: string; to: string }
}

let show: ((notice: Notice) => void) | null = null
let close: (about: string) => void = () => {}
const waiting: Notice[] = []
const watching = new Set<() => void>()

/** For `useSyncExternalStore`: whether something was said before the toasts are here. */
export const notices = {
  subscribe(listener: () => void): () => void {
    watching.add(listener)
    return () => watching.delete(listener)
  },
  areWaiting: (): boolean => waiting.length > 0,
}

/** Says something in a toast; what is said before the toasts are loaded waits for them. */
export function notify(notice: Notice): void {
  if (show) show(notice)
  else {
    waiting.push(notice)
    for (const listener of watching) listener()
  }
}

/** Takes back what was said about something, where it is said in its place now. */
export function unsay(about: string): void {
  close(about)
}

/** The toasts take over: they are given what waited, then everything new; `takeBack` closes those about something. */
export function showNotices(to: (notice: Notice) => void, takeBack: (about: string) => void): void {
  show = to
  close = takeBack
  for (const notice of waiting.splice(0)) to(notice)
}
