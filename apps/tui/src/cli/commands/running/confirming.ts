import { type Confirm, isTyped, sayText, wordsToType } from '@qd/core/actions'
import type { View } from '@qd/core/define'
import { AppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { nounOf } from '@qd/core/i18n'
import { usedByGroups } from '@qd/core/view'
import { type Cli, type FlagValues, textFlag } from '../command.ts'
import { lineWithFlag } from './command-words.ts'

const namedObjects = 12

/**
 * Prints what will be done and asks by the shared rule (`core/actions/confirm.ts`). Words are typed or given by
 * `--confirm`, other questions by y or `--yes`. Errors: `usage` if nobody can be asked, `blocked` for a run without
 * targets. `insists`: `--yes` doesn't replace words.
 */
export async function confirmed(
  cli: Cli,
  confirm: Confirm,
  { flags, view, insists }: { flags: FlagValues; view: View; insists: boolean },
): Promise<boolean> {
  const { translator } = cli
  const { action, level, targetPreview, objects, servers } = confirm
  const typed = insists ? ({ count: servers, of: 'server' } as const) : confirm.typed
  if (targetPreview && targetPreview.targets.ids.length === 0)
    throw new AppError('blocked', { text: translator.say(targetPreview.sentence.key, targetPreview.sentence.params) })
  for (const line of confirmLines(cli, confirm, view)) cli.note(line)
  for (const warning of confirm.warnings) cli.warn(plainText(sayText(translator, warning)))
  const words = wordsToType({ typed }, translator)
  // Language-independent words for scripts: number and noun.
  const plainWords = typed !== null && typeof typed === 'object' ? `${typed.count} ${typed.of}` : null
  if (words !== null && textFlag(flags, 'confirm') === plainWords) return true
  // Runs accept --yes. Large deletes also require --confirm with the exact words.
  if (words !== null && (insists || action.starts !== 'run' || flags.yes !== true))
    return typedWords(cli, { words, given: textFlag(flags, 'confirm') })
  if (flags.yes === true || level === 'stated') return true
  if (cli.canAsk) return cli.ask(questionOf(cli, confirm))
  throw usageError('needsYes', {
    // Without records, such as an address to block, counts as one.
    count: targetPreview ? servers : Math.max(1, objects.length),
    try: lineWithFlag(cli.io.args, '--yes'),
  })
}

async function typedWords(cli: Cli, { words, given }: { words: string; given: string | undefined }): Promise<boolean> {
  const again = lineWithFlag(cli.io.args, `--confirm '${words}'`)
  if (given !== undefined) {
    if (isTyped(words, given)) return true
    throw usageError('wrongWords', { words, try: again })
  }
  if (!cli.canAsk) throw usageError('needsWords', { words, try: again })
  const typed = await cli.askText(cli.translator.t('ui.cli.confirm.type', { words }))
  return typed !== null && isTyped(words, typed)
}

function confirmLines({ translator }: Cli, { targetPreview, objects, usedBy, text }: Confirm, view: View): string[] {
  if (targetPreview) {
    const { sentence } = targetPreview
    const offline = targetPreview.targets.offline
      .slice(0, namedObjects)
      .map((id) => plainText(view.title('server', id) ?? `#${id}`))
    const more = targetPreview.targets.offline.length - offline.length
    const names = [...offline, ...(more > 0 ? [translator.t('ui.cli.confirm.more', { count: more })] : [])].join(', ')
    return [[plainText(translator.say(sentence.key, sentence.params)), names].filter(Boolean).join(': ')]
  }
  const names = objects
    .slice(0, namedObjects)
    .map(({ id, name, state }) => `${plainText(name)} (${id}${state ? `, ${translator.say(state.label)}` : ''})`)
  const more =
    objects.length > namedObjects ? [translator.t('ui.cli.confirm.more', { count: objects.length - namedObjects })] : []
  const named = usedByGroups({ view, translator }, usedBy).map(({ label, links }) =>
    translator.t('ui.cli.confirm.referring', { resource: label, names: links.map(({ title }) => title).join(', ') }),
  )
  const about = objects.length === 0 ? [] : [[...names, ...more].join(', ')]
  return [...(text ? [sayText(translator, text)] : []), ...about, ...named]
}

function questionOf({ translator }: Cli, { targetPreview, objects, go, resource }: Confirm): string {
  const { t, say, language } = translator
  const label = sayText(translator, go)
  if (targetPreview)
    return t('ui.cli.confirm.targets', {
      action: label,
      online: targetPreview.targets.online.length,
      total: targetPreview.targets.ids.length,
    })
  const [first] = objects
  // A record with a title is asked about by name.
  if (objects.length === 1 && resource.title in resource.input.shape)
    return t('ui.cli.confirm.one', { action: label, name: plainText(first!.name) })
  const count = objects.length
  if (count === 0) return `${label}?`
  const noun = nounOf(say(`resources.${resource.name}.${count === 1 ? 'one' : 'many'}`), language)
  return t('ui.cli.confirm.go', { action: label, count, resource: noun })
}
