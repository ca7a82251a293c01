import { AppError } from '@qd/core/errors'
import { nearest } from '@qd/core/targets'
import type { Command } from '../command.ts'

/** Pages of `qd help TOPIC`, each a text of its own. */
export const helpTopics = ['environment', 'exit-codes', 'query', 'output'] as const

const topicKeys = {
  environment: 'ui.cli.topics.environment',
  'exit-codes': 'ui.cli.topics.exitCodes',
  query: 'ui.cli.topics.query',
  output: 'ui.cli.topics.output',
} as const satisfies Record<(typeof helpTopics)[number], string>

/** Other names of a page (behaviour C-26). */
const otherNames: Readonly<Record<string, (typeof helpTopics)[number]>> = { selection: 'query' }

/** Braces in a text stand for its parameters, so the braces of a template come as some. */
const bracesOfTemplates = { open: '{{', close: '}}' }

/** `qd help`: the same as `--help`, and pages on matters of every command. */
export function helpCommand(parse: (args: readonly string[]) => Promise<void>): Command {
  return {
    name: 'help',
    help: 'ui.cli.commands.help',
    args: '[words...]',
    argHelp: { words: 'ui.cli.args.topic' },
    values: { kind: 'commands' },
    examples: ['help', 'help cron run', ...helpTopics.map((topic) => `help ${topic}`)],
    async run(cli, [given]) {
      const words = (given ?? []) as readonly string[]
      const topic = helpTopics.find((name) => name === (otherNames[words[0] ?? ''] ?? words[0]))
      if (topic) cli.print(cli.translator.t(topicKeys[topic], bracesOfTemplates))
      else if (words[0]?.startsWith('-'))
        throw new AppError('usage', { reason: 'unknownFlag', flag: words[0], near: nearest(words[0], helpTopics) })
      else await parse([...words, '--help'])
      return undefined
    },
  }
}
