import { type Field, fieldKey, type Resource, textKey } from '@qd/core/define'
import { createTranslator, loadLanguage, type Translator } from '@qd/core/i18n'
import { resources, setting } from '@qd/core/resources'
import { termsOf } from '@qd/core/targets'
import { usage as agentUsage } from '../../../apps/agent/src/config/settings.ts'
import { usage as serverUsage } from '../../../apps/server/src/config.ts'
import { helpTopics, topicText } from '../../../apps/tui/src/cli/commands/other-commands.ts'
import { commandPages } from './commands.ts'
import { block, code, type Pages, paragraphs, plain, table } from './markdown.ts'

/** The reference pages that are made from the registry and the texts of the programs. */
export async function referencePages(): Promise<Pages> {
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  return {
    ...(await commandPages(translator)),
    'query-words.md': queryWords(translator),
    'settings.md': settings(translator),
    'flags.md': flags(),
    ...Object.fromEntries(helpTopics.map((topic) => [`help-${topic}.md`, helpTopic(translator, topic)])),
  }
}

/** What `qd help TOPIC` prints. */
function helpTopic(translator: Translator, topic: (typeof helpTopics)[number]): string {
  const [first = '', ...rest] = topicText(translator, topic).split('\n')
  const [, title = '', about = ''] = /^([^.:]+)[.:]?\s*(.*)$/.exec(first) ?? []
  return paragraphs([
    `# ${title}`,
    plain(about),
    block('sh', [`qd help ${topic}`]),
    block('text', rest.join('\n').replace(/^\n+/, '').split('\n')),
  ])
}

/** What the two programs say for `--help`. */
function flags(): string {
  return paragraphs([
    '# Flags of the server and the agent',
    'Each flag has an environment variable; flags override it.',
    block('sh', ['npm start -- --help']),
    '## Server',
    block('text', serverUsage.trimEnd().split('\n')),
    '## Agent',
    block('text', agentUsage.trimEnd().split('\n')),
  ])
}

/** The terms and words of each entity in the query language. */
function queryWords({ say }: Translator): string {
  const sections = resources.flatMap((resource) => {
    const { all, words } = termsOf(resource)
    const offered = words.filter((word) => word.offered).map(({ word }) => code(word))
    return [
      `## ${say(textKey.many(resource.name))}`,
      offered.length > 0 ? `Words: ${offered.join(' ')}` : '',
      table(
        ['Term', 'Kind', 'Means'],
        all.map(({ field, names, definition, comparison }) => [
          names.map(code).join(' '),
          `${definition.kind}${comparison.ordered ? ', also `<` `>`' : ''}`,
          [plain(say(fieldKey(resource, field))), optionsOf(definition)].filter(Boolean).join(': '),
        ]),
      ),
    ]
  })
  return paragraphs([
    '# Words of the query language',
    'What each entity can be asked for, from its fields. The language itself: [query language](../query-language.md).',
    block('sh', ["qd server ls 'cpu>80 or offline'"]),
    ...sections,
  ])
}

function optionsOf(definition: Field): string {
  return definition.kind === 'choice' ? Object.keys(definition.options).map(code).join(' ') : ''
}

/** The settings of the site, by the groups of their form. */
function settings({ say }: Translator): string {
  const resource: Resource = setting
  const row = (field: string) => {
    const { help, kind, ...more } = resource.fields[field] as Field & { min?: number; max?: number }
    const limits =
      more.min !== undefined && more.max !== undefined
        ? `${more.min} to ${more.max}`
        : optionsOf({ kind, ...more } as Field) || kind
    return [
      `${code(field)}<br>${plain(say(fieldKey(resource, field)))}`,
      limits,
      code(JSON.stringify((resource.initial as Record<string, unknown>)[field])),
      help ? plain(say(textKey.help(resource.name, field))) : '',
    ]
  }
  const groups = resource.form.flatMap(({ group, fields }) => [
    `## ${say(textKey.group(resource.name, group))}`,
    table(
      ['Setting', 'Takes', 'Default', 'Notes'],
      fields.map(({ field }) => row(field)),
    ),
  ])
  return paragraphs([
    '# Settings',
    'Settings of the whole site, for admins: `/dashboard/settings`, `:setting` in the terminal UI, and `qd setting`.',
    block('sh', ['qd setting get', 'qd setting set --session-days 7 --dry-run']),
    ...groups,
  ])
}
