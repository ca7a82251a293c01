import type { HostEntry } from '../actions/index.ts'
import type { HostState, Tone, View } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'

/** The word in the text key of each state, and how it feels. */
const states: Readonly<Record<HostState, { readonly word: string; readonly tone: HostLine['tone'] }>> = {
  // With an error: only a part was read.
  read: { word: 'partly', tone: 'warn' },
  pending: { word: 'pending', tone: 'accent' },
  offline: { word: 'offline', tone: 'warn' },
  'timed out': { word: 'timedOut', tone: 'warn' },
  'not supported': { word: 'notSupported', tone: 'muted' },
  refused: { word: 'refused', tone: 'warn' },
  'no permission': { word: 'noPermission', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
}
/** Names that stand in a line; the others are counted. */
const namedAtMost = 5
/** What a host said of a failure, as far as it stands in a line. */
const longestReason = 120

/** One line about hosts that are alike. */
export interface HostLine {
  readonly text: string
  readonly tone: Exclude<Tone, 'plain'>
}

/** How many hosts answered, and a line for each state of the others with their names. */
export interface HostSummary {
  readonly answered: string
  readonly read: number
  readonly total: number
  readonly lines: readonly HostLine[]
}

/** Whether a host answered, and no part of it failed. */
export const isReadWhole = ({ state, error }: Pick<HostEntry, 'state' | 'error'>): boolean =>
  state === 'read' && error === ''

/** Why the records of one host aren’t there, or not all, as a sentence; null if all are, or are still being read. */
export function hostNote({ state, error, left }: HostEntry, { t, say }: Translator): HostLine | null {
  if (state === 'pending') return null
  const whole = left > 0 && ({ text: t('ui.hosts.left', { count: left }), tone: 'warn' } as const)
  if (isReadWhole({ state, error })) return whole || null
  const { word, tone } = states[state]
  const text = say(`ui.detail.hosted.${word}`)
  return { text: error === '' ? text : `${text} (${error.slice(0, longestReason)})`, tone }
}

/** What a list of hosts says above its rows. Pure. */
export function hostSummary(
  hosts: readonly HostEntry[],
  view: Pick<View, 'title'>,
  { t, say }: Translator,
): HostSummary {
  const read = hosts.filter(({ state }) => state === 'read').length
  const nameOf = ({ server_id }: HostEntry) => view.title('server', server_id) ?? `#${server_id}`
  const namesOf = (some: readonly HostEntry[]) => {
    const names = some.slice(0, namedAtMost).map(nameOf).join(', ')
    return some.length > namedAtMost ? t('ui.hosts.more', { names, count: some.length - namedAtMost }) : names
  }
  const lines = Object.entries(states).flatMap(([state, { word, tone }]): HostLine[] => {
    const some = hosts.filter((host) => host.state === state && !isReadWhole(host))
    if (some.length === 0) return []
    const reasons = new Set(some.map(({ error }) => error).filter((error) => error !== ''))
    const [reason = ''] = reasons.size === 1 ? reasons : []
    const label = say(`ui.hosts.states.${word}`)
    const text = t('ui.hosts.group', { state: label, names: namesOf(some) })
    return [{ text: reason === '' ? text : `${text} (${reason.slice(0, longestReason)})`, tone }]
  })
  const left = hosts.reduce((sum, host) => sum + host.left, 0)
  return {
    answered: t('ui.hosts.answered', { read, total: hosts.length }),
    read,
    total: hosts.length,
    lines: left > 0 ? [...lines, { text: t('ui.hosts.left', { count: left }), tone: 'warn' }] : lines,
  }
}
