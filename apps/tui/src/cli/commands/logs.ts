import { cliWords } from '@qd/core/actions'
import { readSelection } from '@qd/core/api'
import { actionKey, type Resource, type Tone } from '@qd/core/define'
import { AppError, usageError } from '@qd/core/errors'
import {
  askedLogs,
  createLogSession,
  createLogText,
  type LogHost,
  type LogLine,
  type LogQuery,
  logQueryOf,
  logSummary,
  logTone,
  parseSince,
} from '@qd/core/logs'
import { server } from '@qd/core/resources'
import { pickFields } from '@qd/core/view'
import { logLimits, logSources } from '@qd/protocol/logs'
import { socketPorts } from '../../base/connect/socket.ts'
import {
  type Cli,
  type Command,
  type Flag,
  type FlagValues,
  numberFlag,
  partlyCode,
  textFlag,
  wordsIn,
} from './command.ts'
import { hostFlags, resultFields, selectFlags, streamFlags } from './flags/flags.ts'
import { pickMany } from './pick.ts'
import { recordsNamed } from './read.ts'

const lineFields = ['at', 'server_id', 'server', 'unit', 'name', 'pid', 'level', 'text'] as const

const interruptedCode = 130

const sourceFlags = {
  unit: { flags: '--unit <name>', help: 'ui.cli.flags.logUnit' },
  container: { flags: '--container <name>', help: 'ui.cli.flags.logContainer' },
  file: { flags: '--file <path>', help: 'ui.cli.flags.logFile' },
} as const

const tailFlags: readonly Flag[] = [
  { flags: '-f, --follow', help: 'ui.cli.flags.logFollow' },
  { flags: '--grep <regex>', help: 'ui.cli.flags.logGrep' },
  { flags: '--since <time>', help: 'ui.cli.flags.logSince' },
  { flags: '--lines <n>', help: 'ui.cli.flags.logLines' },
  ...streamFlags(() => lineFields),
]

export const logsCommand: Command = {
  name: 'logs',
  help: 'ui.cli.commands.logs',
  args: '[query]',
  argHelp: { query: 'ui.cli.flags.on' },
  values: { kind: 'query', of: 'server' },
  flags: [...logSources.map((source) => sourceFlags[source]), ...tailFlags],
  examples: [
    'logs web-1 --unit nginx',
    "logs 'group:web' --unit nginx --follow --grep '5..' --since 10m",
    "logs 'group:web' --since 2026-11-26T15:00 --jsonl at,server,text",
  ],
  async run(cli, [on = ''], flags) {
    readSelection(server, on)
    return printLogs(cli, queryOf(cli, { ...flags, on }))
  },
}

/** `qd unit logs web-1/nginx -f`: the lines of records that have some. */
export function logsOf(resource: Resource): readonly Command[] {
  const action = resource.actions.logs
  if (!action) return []
  const command: Command = {
    name: 'logs',
    help: (translator) => translator.say(actionKey(action)),
    args: '[names...]',
    values: { kind: 'records', of: resource.name },
    flags: [...selectFlags(resource.name), ...hostFlags(resource), ...tailFlags],
    examples: [`${resource.name} logs ${resource.host?.example ?? 'web-1'} --follow`],
    async run(cli, given, flags) {
      const words = wordsIn(given)
      const records = await recordsNamed(cli, resource, { words, flags })
      const rows = await pickMany({ cli, resource, records, words, flags, command: `qd ${cliWords(action)}`, action })
      const { client, viewer } = await cli.connect()
      const outcome = await action.run({ api: client, viewer: await viewer(), view: records.view() }, rows)
      return outcome.kind === 'open' ? printLogs(cli, queryOf(cli, { ...flags, ...outcome.query })) : undefined
    },
  }
  return [command]
}

/** Reads until all hosts have ended, or Ctrl+C; says which weren’t read, and what is missing. Returns the exit code. Errors: those of the call, `streamEnded`. */
async function printLogs(cli: Cli, { query, flags }: { query: LogQuery; flags: FlagValues }) {
  const fields = resultFields(flags, lineFields)
  const { client, settings } = await cli.connect()
  await cli.demand('logs')
  const textOf = lineText(cli)
  const write = (lines: readonly LogLine[]) => {
    if (fields) cli.jsonl(lines.map((line) => pickFields(jsonOf(line), fields)))
    else cli.io.stdout.write(lines.map((line) => `${textOf(line, hosts.length > 1)}\n`).join(''))
  }
  let hosts: readonly LogHost[] = []
  const told = new Map<number, string>()
  const tell = () => {
    const unlike = hosts.filter(({ server_id, state }) => told.get(server_id) !== state && state !== 'pending')
    for (const { server_id, state } of unlike) told.set(server_id, state)
    for (const { text } of logSummary(unlike, cli.translator).lines) cli.warn(text)
  }
  // Without follow, lines of several hosts are put in order when all are there.
  const waiting: LogLine[] = []
  let isInterrupted = false
  let close = (): void => undefined
  const reading = new Promise<void>((resolve, reject) => {
    const session = createLogSession({
      query,
      api: client,
      ports: socketPorts(cli.io),
      baseUrl: settings.url,
      headers: client.socketHeaders,
      onHosts(next) {
        hosts = next
        tell()
      },
      onLines(lines, left) {
        if (query.follow) write(lines)
        else waiting.push(...lines)
        if (left > 0) cli.warn(cli.t('ui.logs.left', { count: left }))
        // A slow reader of stdout holds the hosts back.
        session.flow(false)
        void cli.io.stdout.flush().then(() => session.flow(true), reject)
      },
      onState(state) {
        if (state.status === 'refused') reject(state.error)
        else if (state.status === 'ended' && state.reason === 'ended') resolve()
        else if (state.status === 'ended') reject(new AppError('streamEnded', { reason: state.reason }))
        else if (state.status === 'lost') cli.warn(cli.t('ui.logs.lost'))
      },
    })
    close = session.close
    session.start()
    cli.onInterrupt(async () => {
      isInterrupted = true
      resolve()
    })
  })
  try {
    await reading
  } finally {
    close()
    if (waiting.length > 0) write(waiting.sort((a, b) => a.at - b.at))
  }
  return isInterrupted ? interruptedCode : hosts.some(({ state }) => state !== 'read') ? partlyCode : undefined
}

function queryOf(cli: Cli, flags: FlagValues): { query: LogQuery; flags: FlagValues } {
  const lines = numberFlag(flags, 'lines', { usual: -1, min: 0, max: logLimits.maxLines })
  const asked = askedLogs((name) => textFlag(flags, name))
  if (asked.since !== '' && parseSince(asked.since, cli.io.now()) === null)
    throw usageError('badDuration', { flag: '--since', text: asked.since })
  const query = {
    ...logQueryOf(asked, cli.io.now()),
    lines: lines < 0 ? null : lines,
    follow: flags.follow === true,
  }
  return { query, flags }
}

const jsonOf = ({ at, ...line }: LogLine) => ({ ...line, at: new Date(at).toISOString() })

/** Of servers, so that neighbors in a stream look different. Red and yellow mean levels. */
const serverTones: readonly Tone[] = ['accent', 'ok', 'plain']

function lineText({ out, format }: Cli): (line: LogLine, isMany: boolean) => string {
  const textOf = createLogText(format.timeZone)
  return (line, isMany) => {
    const { time, server: name, by, lines } = textOf(line)
    const [first = '', ...more] = lines.map((text) => out.paint(logTone(line.level), text))
    const from = isMany ? [out.paint(serverTones[line.server_id % serverTones.length]!, name)] : []
    const head = [out.paint('muted', time), ...from, ...(by ? [`${by}:`] : []), first].join(' ')
    return [head, ...more.map((text) => `  ${text}`)].join('\n')
  }
}
