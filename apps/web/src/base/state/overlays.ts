import { type Observable, observable } from '@legendapp/state'
import type { Question } from '@qd/core/actions'
import type { Outcome, ReportLine, ResourceName, Values } from '@qd/core/define'

/** A form that is open over the page. `id` is the record that is edited or duplicated. */
export interface OpenForm {
  resource: ResourceName
  mode: 'create' | 'edit' | 'duplicate'
  id: number | null
  title?: string
}

/** Overlays over the page. Their code loads on the first interaction and renders what is set here. */
export interface Overlays {
  /** `actions` (opened by `:`): only actions; `scope` (`.`) and `copy` (`y`): actions on the selected or focused rows. */
  palette: { mode: 'all' | 'actions' | 'scope' | 'copy' } | null
  form: OpenForm | null
  keys: boolean
  secret: Extract<Outcome, { kind: 'secret' }> | null
  activity: boolean
  report: ShownReport | null
  /** File manager over the page. `path` empty: the home folder of the agent’s user. */
  files: { server: number; path: string } | null
}

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

export const overlays$: Observable<Overlays> = observable<Overlays>({ ...noOverlays })

export interface PendingQuestion {
  question: Question
  answer(values: Values | null): void
  fail(thrown: unknown): void
}

const listeners = new Set<() => void>()
let asked: PendingQuestion | null = null

/** For `useSyncExternalStore`. A question holds functions, so it is not an observable. */
export const questions = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): PendingQuestion | null => asked,
}

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

export interface Notice {
  tone: 'plain' | 'ok' | 'warn' | 'bad'
  title: string
  details?: readonly string[]
  /** The saved change can be undone, by the message and by `z`. */
  canUndo?: boolean
  about?: string
  run?: number
  link?: { label: string; to: string }
}

let show: ((notice: Notice) => void) | null = null
let close: (about: string) => void = () => {}
const waiting: Notice[] = []
const watching = new Set<() => void>()

export const notices = {
  subscribe(listener: () => void): () => void {
    watching.add(listener)
    return () => watching.delete(listener)
  },
  areWaiting: (): boolean => waiting.length > 0,
}

export function notify(notice: Notice): void {
  if (show) show(notice)
  else {
    waiting.push(notice)
    for (const listener of watching) listener()
  }
}

export function unsay(about: string): void {
  close(about)
}

/** Connects the loaded toasts: they get queued notices, then new ones. `takeBack` closes those about something. */
export function showNotices(to: (notice: Notice) => void, takeBack: (about: string) => void): void {
  show = to
  close = takeBack
  for (const notice of waiting.splice(0)) to(notice)
}
