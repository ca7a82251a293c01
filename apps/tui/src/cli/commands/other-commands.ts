import { againWith, createDryRun } from '@qd/core/actions'
import { pickOne } from '@qd/core/api'
import type { Call, Resource } from '@qd/core/define'
import { usageError } from '@qd/core/errors'
import type { Translator } from '@qd/core/i18n'
import { resourceByName, resources } from '@qd/core/resources'
import { nearest } from '@qd/core/targets'
import { recordPath } from '@qd/core/view'
import { readGiven } from '../../base/connect/settings.ts'
import { startDemoServer } from '../../base/demo-server.ts'
import { parseJson } from '../../base/output/json.ts'
import { aboutResource, type Command, type CommandGroup, textFlag, wordsIn } from './command.ts'
import { dryRunFlag, filterFlags } from './flags/flags.ts'
import { printDryRun } from './printing/show.ts'
import { listCommand, recordsOf } from './read.ts'

export const openCommand: Command = {
  name: 'open',
  help: 'ui.cli.commands.open',
  args: '<entity> [name]',
  values: { kind: 'words', words: () => resources.map(({ name }) => name) },
  examples: ['open server web-1', 'open incident', 'open server web-1 | ssh desk xargs xdg-open'],
  async run(cli, [word = '', name]) {
    const resource = resourceByName(word)
    const names = resources.map((one) => one.name)
    if (!resource) throw usageError('unknownEntity', { name: word, near: nearest(word, names) })
    const { url } = await cli.settings()
    const pathOf = async (name: string) => {
      const rows = await (await recordsOf(cli)).list(resource)
      return recordPath(resource, pickOne(resource, rows, name, againWith(`qd open ${word}`)).id)
    }
    const isWhole = name === undefined || resource.wire.shape === 'one'
    const address = url + (isWhole ? resource.path : await pathOf(name))
    cli.print(address)
    if (cli.io.stdout.isTTY && !(await cli.io.openInBrowser(address))) cli.note(cli.t('ui.cli.open.noBrowser'))
  },
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Call['method'][]

export const apiCommand: Command = {
  name: 'api',
  help: 'ui.cli.commands.api',
  args: '<method> <path>',
  flags: [{ flags: '--body-file <file>', help: 'ui.cli.flags.bodyFile' }, dryRunFlag, ...filterFlags],
  examples: [
    'api GET server',
    "api GET 'audit?limit=5' --jq '.value[].action'",
    'api POST waf/block --body-file block.json',
  ],
  async run(cli, [method = '', path = ''], flags) {
    const file = textFlag(flags, 'bodyFile')
    const body = file === undefined ? {} : { body: parseJson(await readGiven(cli.io, file, { lines: true }), file) }
    const call = { ...callOf(method, path), ...body }
    const { client } = await cli.connect()
    if (flags.dryRun === true && call.method !== 'GET') {
      const api = createDryRun(client)
      await api.send(call)
      printDryRun(cli, { api, notes: [], json: cli.isFiltered })
    } else cli.json(await client.send(call))
  },
}

/** Accepts the path with or without `/api/v1/`. Errors: `usage`. */
function callOf(method: string, path: string): Pick<Call, 'method' | 'path'> {
  const known = methods.find((one) => one === method.toUpperCase())
  if (!known) throw usageError('badMethod', { name: method, try: 'qd api GET server' })
  const short = path.replace(/^\/?(api\/v1\/)?/, '')
  if (short === '' || /^[a-z]+:|\.\.|[\s\\]/i.test(short))
    throw usageError('badPath', { path, try: 'qd api GET server' })
  return { method: known, path: short }
}

const topicKeys = {
  environment: 'ui.cli.topics.environment',
  'exit-codes': 'ui.cli.topics.exitCodes',
  query: 'ui.cli.topics.query',
  output: 'ui.cli.topics.output',
} as const
type Topic = keyof typeof topicKeys
export const helpTopics = Object.keys(topicKeys) as Topic[]

const otherNames: Readonly<Record<string, Topic>> = { selection: 'query' }

/** Braces are placeholders in texts, so a template's braces are parameters. */
const bracesOfTemplates = { open: '{{', close: '}}' }

export function topicText({ t }: Translator, topic: Topic): string {
  return t(topicKeys[topic], bracesOfTemplates)
}

export const helpCommand: Command = {
  name: 'help',
  help: 'ui.cli.commands.help',
  args: '[words...]',
  argHelp: { words: 'ui.cli.args.topic' },
  values: { kind: 'commands' },
  examples: ['help', 'help cron run', ...helpTopics.map((topic) => `help ${topic}`)],
  async run(cli, args) {
    const words = wordsIn(args)
    const topic = helpTopics.find((name) => name === (otherNames[words[0] ?? ''] ?? words[0]))
    if (topic) cli.print(topicText(cli.translator, topic))
    else if (words[0]?.startsWith('-'))
      throw usageError('unknownFlag', { flag: words[0], near: nearest(words[0], helpTopics) })
    else await cli.program.parse([...words, '--help'])
  },
}

/** `qd demo`: the server’s demo in the terminal UI, gone when that closes. */
export const demoCommand: Command = {
  name: 'demo',
  help: 'ui.cli.commands.demo',
  examples: ['demo'],
  async run(cli) {
    const { io, translator } = cli
    if (!io.stdin.isTTY || !io.stdout.isTTY) throw usageError('noTerminal', { try: 'quarterdeck --demo' })
    cli.note(translator.t('ui.cli.demo.starting'))
    const closing = new AbortController()
    const server = startDemoServer(io)
    cli.onInterrupt(async () => {
      closing.abort()
      await server.stop()
    })
    try {
      const env = await server.ready
      return env ? await io.runInFront([], { env, cwd: server.folder, signal: closing.signal }) : 0
    } finally {
      await server.stop()
    }
  },
}

export const mcpCommand: Command = {
  name: 'mcp',
  help: 'ui.cli.commands.mcp',
  examples: ['mcp', 'mcp --profile production'],
  textsLater: true,
  run: async (cli) => cli.program.serveTools!(cli),
}

export const watchGroup: CommandGroup = {
  name: 'watch',
  help: 'ui.cli.commands.watch',
  get commands() {
    return resources.filter(({ wire }) => wire.verbs.includes('list')).map(watchCommand)
  },
}

function watchCommand(resource: Resource): Command {
  const { name } = resource
  const list = listCommand(resource)
  return {
    ...list,
    name,
    help: aboutResource('ui.cli.commands.watchOf', resource),
    flags: (list.flags ?? []).filter(({ flags }) => !flags.includes('--watch')),
    examples: [`watch ${name}`, `watch ${name} --jsonl id,${resource.title}`],
    run: (cli, args, flags) => list.run(cli, args, { ...flags, watch: true }),
  }
}
