import { plainText } from '@qd/core/fields'
import {
  type AskedLogs,
  askedLogs,
  createLogText,
  emptyTail,
  type LogLine,
  type LogTail,
  type LogText,
  logNotes,
  logQueryOf,
  logRows,
  logTone,
  openLogTail,
  parseSince,
  tooManyLogHosts,
} from '@qd/core/logs'
import { hostTarget, rememberHostTarget } from '@qd/core/store'
import { logSources } from '@qd/protocol/logs'
import { shellQuote } from '@qd/protocol/shell-quote'
import { socketPorts } from '../../base/connect/socket.ts'
import { wordRole } from '../../screen/fields/marks.ts'
import { copy } from '../../screen/state/copy.ts'
import { createKept } from '../../screen/state/kept.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { cutLine, type Line, span } from '../../screen/terminal/line.ts'
import { lineRoles, type Role } from '../../screen/terminal/theme.ts'
import { askLine } from '../views/ask-line.tsx'
import { createTextScreen, type TextPart } from '../views/output-screen.tsx'

interface Row {
  readonly text: string
  readonly role: Role
  readonly part: TextPart | null
}

/** A line as rows; of several servers, each server’s name has a color of its own, the same as on the web. */
export function rowsOfLine(line: LogLine, text: LogText, isMany: boolean): Row[] {
  const color = lineRoles[line.server_id % lineRoles.length]!
  const part = isMany ? { at: text.time.length + 1, text: text.server, role: color } : null
  const role = wordRole[logTone(line.level)]
  return logRows(text, isMany).map((row, index) => ({ text: row, role, part: index === 0 ? part : null }))
}

const logsLine = ({ on, ...flags }: AskedLogs) =>
  ['qd logs', ...(on ? [shellQuote(on)] : []), '--follow']
    .concat(Object.entries(flags).flatMap(([name, text]) => (text ? [`--${name} ${shellQuote(text)}`] : [])))
    .join(' ')

/** Opens them; asks for the servers if there are many and none were chosen before. */
export async function showLogs(ui: Ui, query: Readonly<Record<string, string>>): Promise<void> {
  const { translator, session, records, remembered, t } = ui.workspace
  if (!session.supports('logs')) return ui.say(t('ui.logs.unsupported'), 'warn')
  const asked = askedLogs((name) => query[name])
  if (query.on !== undefined) {
    rememberHostTarget(query.on, remembered)
    return ui.push(createLogsScreen(ui, asked))
  }
  const target = hostTarget(null, records.list$('server').ids.peek().length, remembered)
  const on = target.isOpen
    ? await askLine(ui, { title: t('ui.hosts.target'), help: tooManyLogHosts(translator), start: '' })
    : target.on
  if (on !== null) ui.push(createLogsScreen(ui, { ...asked, on }))
}

function createLogsScreen(ui: Ui, start: AskedLogs): Screen {
  const { translator, format, client, settings, t } = ui.workspace
  const textOf = createLogText(format.timeZone)
  const state = createState({ asked: start, tail: emptyTail as LogTail })
  let reading: ReturnType<typeof openLogTail> | null = null
  const kept = createKept<{ rows: readonly Row[]; texts: readonly string[] }>()

  const open = () => {
    reading?.close()
    state.tail = emptyTail
    reading = openLogTail({
      query: logQueryOf(state.asked, ui.io.now()),
      api: client,
      ports: socketPorts(ui.io),
      baseUrl: settings.url,
      headers: client.socketHeaders,
      onChange(next) {
        state.tail = next
      },
    })
  }
  const choose = async (field: 'grep' | 'since') => {
    const labels = {
      grep: [t('ui.logs.grep'), t('ui.cli.flags.logGrep')],
      since: [t('ui.logs.since'), t('ui.cli.flags.logSince')],
    }
    const [title = '', help = ''] = labels[field]
    const text = await askLine(ui, { title, help, start: state.asked[field] })
    if (text === null || text.trim() === state.asked[field]) return
    if (field === 'since' && text.trim() !== '' && parseSince(text.trim(), ui.io.now()) === null)
      return ui.say(t('ui.cli.usage.badDuration', { flag: title, text: text.trim() }), 'bad')
    state.asked = { ...state.asked, [field]: text.trim() }
    if (reading) open()
  }
  const shown = () => {
    const { lines, hosts } = state.tail
    const isMany = hosts.length > 1
    return kept([lines, isMany], () => {
      const rows = lines.flatMap((line) => rowsOfLine(line, textOf(line), isMany))
      return { rows, texts: rows.map(({ text }) => text) }
    })
  }
  const statusLine = (columns: number): Line => {
    const { isPaused, waiting } = state.tail
    const paused = { text: translator.t('ui.logs.waiting', { count: waiting }), tone: 'warn' } as const
    // The first: the line is cut at its end.
    const notes = [...(isPaused ? [paused] : []), ...logNotes(state.tail, translator)]
    const spans = notes.map(({ text, tone }) => span(` ${plainText(text)} `, wordRole[tone]))
    return cutLine(spans, Math.max(10, columns - 24))
  }
  const words = () => {
    const { hosts } = state.tail
    const on = hosts.length === 1 ? plainText(hosts[0]!.name) : state.asked.on
    const named = logSources.flatMap((source) => (state.asked[source] ? [`${source} ${state.asked[source]}`] : []))
    const rest = [
      state.asked.grep && `${t('ui.logs.grep')}: ${state.asked.grep}`,
      state.asked.since && `${t('ui.logs.since')}: ${state.asked.since}`,
    ]
    return [on, ...named, ...rest].filter(Boolean)
  }
  const screen = createTextScreen(ui, {
    place: [t('ui.logs.title')],
    resource: null,
    lines: () => shown().texts,
    roleOf: (index) => shown().rows[index]?.role ?? 'plain',
    partOf: (index) => shown().rows[index]?.part ?? null,
    live: {
      isOpen: () => true,
      statusLine,
      enter() {
        open()
        return () => {
          reading?.close()
          reading = null
        }
      },
    },
    more: {
      commands: {
        logFilter: () => void choose('grep'),
        logSince: () => void choose('since'),
        logPause: () => reading?.pause(!state.tail.isPaused),
        logCopy: () => copy(ui, shown().texts.join('\n')),
      },
      hints: { f: 'filter', s: 'since', p: 'pause' },
    },
  })
  return {
    ...screen,
    key: `logs:${JSON.stringify(start)}`,
    place: () => [t('ui.logs.title'), ...words()],
    cliLine: () => logsLine(state.asked),
  }
}
