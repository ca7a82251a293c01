import {
  type Confirm,
  checkedArguments,
  flagName,
  isTyped,
  lineWithFlag,
  type Question,
  same,
  sayText,
  wordsToType,
} from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import { type FormShape, fieldKey, fieldOf, textKey, type Values, type View, type Viewer } from '@qd/core/define'
import { AppError, type Problem, usageError } from '@qd/core/errors'
import { commandWithInput, machineValue, parseInput, plainLines, plainText } from '@qd/core/fields'
import { nounOf } from '@qd/core/i18n'
import { longestCommand } from '@qd/core/schemas'
import { createArgumentsForm, pickFields, presentCell, qrLines, usedByGroups } from '@qd/core/view'
import { editInEditor } from '../../../base/editor.ts'
import { parseJson } from '../../../base/output/json.ts'
import { labeledLines } from '../../../base/output/table.ts'
import { type Cli, type Flag, type FlagValues, nobody, textFlag } from '../command.ts'
import { resultFields } from '../flags/flags.ts'

export const inputFlag: Flag = { flags: '-i, --stdin', help: 'ui.cli.flags.stdin' }

/** Appends stdin as a here document, because agents run one shell line. Errors: `usage`. */
export async function withInput({ io }: Cli, command: string): Promise<string> {
  if (io.stdin.isTTY) throw usageError('noPipedInput', { try: `echo TEXT | qd exec -i web-1 -- cat` })
  const text = await io.stdin.readAll()
  if (/[\0\ufffd]/.test(text)) throw usageError('binaryInput', { try: 'qd files put' })
  const whole = commandWithInput(command, text)
  if (whole.length > longestCommand) throw usageError('longInput', { try: 'qd files put' })
  return whole
}

export function printArguments(
  cli: Cli,
  { args, values, flags, view }: { args: FormShape; values: Values; flags: FlagValues; view: View },
): number {
  const names = args.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const wanted = resultFields(flags, names)
  const machine = Object.fromEntries(names.map((name) => [name, machineValue(fieldOf(args, name), values[name])]))
  if (wanted) {
    cli.json(pickFields(machine, wanted))
    return 0
  }
  const { translator, format, io } = cli
  const lines = names.map((name): readonly [string, string] => {
    const surface = { translator, format, view, viewer: nobody }
    const { text, full = text } = presentCell(surface, {
      resource: args,
      row: { id: 0 },
      field: name,
      value: values[name],
    })
    return io.stdout.isTTY
      ? [translator.say(fieldKey(args, name)), plainLines(full)]
      : [name, JSON.stringify(machine[name])]
  })
  for (const line of labeledLines(lines, cli.out)) cli.print(line)
  return 0
}

type ArgumentRequest = Pick<Question, 'action' | 'resource' | 'rows' | 'start'> & {
  args: NonNullable<Question['args']>
}

export async function argumentsOf(
  cli: Cli,
  { action, args, resource, rows, start }: ArgumentRequest,
  from: { texts: ReadonlyMap<string, string>; records: Records; viewer: Viewer },
): Promise<Values> {
  const { records, viewer } = from
  const texts = new Map(from.texts)
  if (args.sends === 'changed') return checkedArguments(action, await records.read((view) => parsed(args, texts, view)))
  const values = await start()
  let shown: readonly string[] = []
  for (;;) {
    const submitted = await records.read((view) => {
      const form = createArgumentsForm({
        action,
        args,
        resource,
        rows,
        start: values,
        view,
        viewer,
        translator: cli.translator,
      })
      for (const [field, text] of texts) form.setText(field, text)
      if (args.scan && texts.size === 0)
        shown = [...qrLines(args.scan(values)), '', cli.say(textKey.preview(args.name)), ...(form.preview() ?? [])]
      return form.submit()
    })
    if (submitted.ok) return submitted.input
    const missing = submitted.problems.map(({ field }) => field).filter((field) => !texts.has(field))
    if (missing.length < submitted.problems.length) throw new AppError('invalid', {}, { problems: submitted.problems })
    if (!cli.canAsk)
      throw usageError('missingFlag', {
        flag: missing.map((field) => flagName(field, args.fields[field]?.kind)).join(', '),
      })
    // A QR code comes before the question that it answers.
    for (const line of shown) cli.note(line)
    shown = []
    for (const field of missing) {
      texts.set(field, await cli.demandText(`${cli.say(fieldKey(args, field))}:`))
    }
  }
}

function parsed({ fields }: ArgumentRequest['args'], texts: ReadonlyMap<string, string>, view: View): Values {
  const problems: Problem[] = []
  const values = [...texts].flatMap(([field, text]) => {
    const read = parseInput(fieldOf({ fields }, field), text, { fieldName: field, view })
    if (read.ok) return [[field, read.value] as const]
    problems.push(read.problem)
    return []
  })
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  return Object.fromEntries(values)
}

/** Edits values as JSON in the user's editor. Returns the differences. Errors: `usage`; `invalid` with problems. */
export async function editArguments(cli: Cli, { action, start }: Pick<Question, 'action' | 'start'>): Promise<Values> {
  if (!cli.canAsk) throw usageError('cannotAsk')
  const names = action.args!.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const before = await start()
  const shown = Object.fromEntries(names.map((name) => [name, before[name]]))
  const text = await editInEditor(cli.io, JSON.stringify(shown, null, 2), 'configuration.json')
  if (text === null) throw new AppError('cancelled')
  const path = 'configuration.json'
  const after = parseJson(text, path)
  if (typeof after !== 'object' || after === null || Array.isArray(after))
    throw usageError('brokenFile', { path, text: '' })
  const changed = Object.entries(after).filter(([name, value]) => !same(value, before[name]))
  if (changed.length === 0) throw usageError('nothingToChange')
  return checkedArguments(action, Object.fromEntries(changed))
}

const namedObjects = 12

/** Asks by the shared rule (`core/actions/confirm.ts`). `insists`: `--yes` doesn't replace words. Errors: `usage`, `blocked`. */
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
  const typed = await cli.askText(cli.t('ui.cli.confirm.type', { words }))
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
