import { type ParsedRows, plainText } from '../define/index.ts'
import { UnitManager, UnitState, UnitType } from './host-options.ts'
import { boundedRows, cut, optionOf, sectionsOf } from './parse-collected.ts'

type Unit = {
  name: string
  description: string
  type: UnitType
  state: UnitState
  sub: string
  enabled: string
  since: string | null
  memory: number | null
  restarts: number | null
  manager: (typeof UnitManager)[keyof typeof UnitManager]
}

const longestDescription = 200
const longestWord = 32

/** Reads what the collector `units` printed: blocks of `systemctl show`, or sections of `rc-status`. */
export function parseUnits(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const systemctl = sections.get('systemctl')
  const failure = sections.get('error')
  if (failure !== undefined)
    return { state: /permission denied|access denied|not permitted/i.test(failure) ? 'no permission' : 'failed' }
  if (systemctl !== undefined) return boundedRows(systemdUnits(systemctl))
  const openrc = sections.get('openrc')
  if (openrc !== undefined) return boundedRows(openrcUnits(openrc))
  return { state: sections.has('unsupported') ? 'not supported' : 'failed' }
}

function* systemdUnits(text: string): Iterable<Unit> {
  for (const block of text.split(/\n(?:[ \t\r]*\n)+/)) {
    // A host has hundreds of them, and only these properties are asked for: to look for each is less work than to keep all.
    const lines = `\n${block}\n`
    const value = (name: string) => {
      const at = lines.indexOf(`\n${name}=`)
      const from = at + name.length + 2
      return at < 0 ? '' : lines.slice(from, lines.indexOf('\n', from)).trim()
    }
    const name = value('Id')
    const type = typeOf(name)
    const state = optionOf(UnitState, value('ActiveState'))
    // What another unit only names and no file defines is no unit of this host.
    const isMissing = value('LoadState') === 'not-found' && state === UnitState.inactive
    if (type === null || isMissing) continue
    yield {
      name: plainText(name),
      description: cut(value('Description'), longestDescription),
      type,
      state: state ?? UnitState.inactive,
      sub: cut(value('SubState'), longestWord),
      enabled: cut(value('UnitFileState'), longestWord),
      since: instantOf(value('StateChangeTimestamp')) ?? instantOf(value('ActiveEnterTimestamp')),
      memory: numberOf(value('MemoryCurrent')),
      restarts: numberOf(value('NRestarts')),
      manager: UnitManager.systemd,
    }
  }
}

const openrcStates: ReadonlyMap<string, UnitState> = new Map<string, UnitState>([
  ['started', UnitState.active],
  ['hotplugged', UnitState.active],
  ['starting', UnitState.activating],
  ['scheduled', UnitState.activating],
  ['stopping', UnitState.deactivating],
  ['crashed', UnitState.failed],
  ['stopped', UnitState.inactive],
  ['inactive', UnitState.inactive],
])
/** Sections of `rc-status` that are no runlevel. */
const unlisted = new Set(['dynamic', 'manual', 'hotplugged', 'needed', 'needed/wanted'])

function* openrcUnits(text: string): Iterable<Unit> {
  let runlevel = ''
  for (const line of text.split('\n')) {
    const heading = /^\s*\[(.*)\]\s*$/.exec(line)
    if (heading) runlevel = (heading[1] ?? '').trim()
    const at = line.indexOf('=')
    const name = line.slice(0, Math.max(0, at)).trim()
    if (heading || name === '') continue
    // A supervised service says since when and how often it was restarted behind its state.
    const [word = ''] = line
      .slice(at + 1)
      .trim()
      .split(/\s/)
    yield {
      name: plainText(name),
      description: '',
      type: UnitType.service,
      state: openrcStates.get(word) ?? UnitState.inactive,
      sub: cut(word, longestWord),
      enabled: runlevel === '' || unlisted.has(runlevel) ? 'disabled' : 'enabled',
      since: null,
      memory: null,
      restarts: null,
      manager: UnitManager.openrc,
    }
  }
}

function typeOf(name: string): UnitType | null {
  return optionOf(UnitType, name.slice(name.lastIndexOf('.') + 1))
}

/** A number of systemd; null for `[not set]` and for the largest of 64 bits, which means the same. */
function numberOf(text: string): number | null {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : null
}

/** A time as `--timestamp=unix` prints it, or as older versions do under `TZ=UTC`; null for none. */
function instantOf(text: string): string | null {
  const unix = /^@\d{1,11}$/.test(text)
  const [, day, time] = unix ? [] : (/^\w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:UTC|GMT)$/.exec(text) ?? [])
  const at = unix ? Number(text.slice(1)) * 1000 : Date.parse(`${day}T${time}Z`)
  return at > 0 && at < 8.64e15 ? new Date(at).toISOString() : null
}
