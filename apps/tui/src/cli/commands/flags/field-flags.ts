import { flagName as fieldFlag } from '@qd/core/actions'
import { type Field, type FormShape, fieldKey, fieldOf, type Resource, textKey } from '@qd/core/define'
import { usageError } from '@qd/core/errors'
import { optionFlag } from '@qd/core/fields'
import { nounOf } from '@qd/core/i18n'
import { nearest } from '@qd/core/targets'
import { listParts } from '@qd/core/view'
import { readGiven } from '../../../base/connect/settings.ts'
import { type Cli, type Flag, type FlagValues, type HelpText, textFlag, type Values } from '../command.ts'

const fromStdin: readonly Field['kind'][] = ['command', 'note', 'rules']

/** A field's flags, the one that is shown first. */
const flagsOf = (name: string, { kind, aliases = [] }: Field): readonly string[] => [
  fieldFlag(name, kind),
  ...aliases.map((alias) => fieldFlag(alias)),
]

/** Visible fields in kebab case, and their aliases. Secrets come from files (behaviour C-04). */
export function fieldFlags(shape: FormShape): Flag[] {
  return formFields(shape).flatMap(([name, field]) => {
    const help = fieldHelp(shape, name)
    const values = valuesOf(field)
    const [flag, also, ...others] = flagsOf(name, field)
    const takes = (typed: string, more: Partial<Flag>): Flag => {
      return { flags: `${typed} ${wordOf(field)}`, help, ...(values ? { values } : {}), ...more }
    }
    return [
      takes(flag!, also === undefined ? {} : { also }),
      ...(field.kind === 'flag' ? [{ flags: fieldFlag(`no-${name}`), help, hidden: true } as const] : []),
      ...(also === undefined ? [] : [takes(also, { hidden: 'completed' })]),
      ...others.map((typed) => takes(typed, { hidden: true })),
    ]
  })
}

/** The field's own text, else `label; help`, without a label that repeats the flag's name. */
export function fieldHelp(shape: FormShape, name: string): HelpText {
  const field = fieldOf(shape, name)
  const known = [name, ...(field.aliases ?? [])].flatMap(wordsOf)
  return ({ t, say, language }) => {
    if (field.flag) return say(textKey.flag(shape.name, name))
    const label = say(fieldKey(shape, name))
    if (!field.help) return nounOf(label, language)
    const help = nounOf(say(textKey.help(shape.name, name)).replace(/[.\u3002]$/, ''), language)
    if (wordsOf(label).every((word) => known.includes(word))) return help
    return t('ui.cli.help.labelAndHelp', { label: nounOf(label, language), help })
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Typed texts by field. Errors: `usage` for a field given twice. */
export async function fieldTexts(cli: Cli, shape: FormShape, flags: FlagValues): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const [name, field] of formFields(shape)) {
    const known = flagsOf(name, field)
    const given = known.filter((flag) => flags[camel(flag)] !== undefined)
    const [flag = known[0]!] = given
    if (given.length > 1) throw usageError('givenTwice', { flag: fieldFlag(name) })
    const value = flags[camel(flag)]
    cli.typedFlags.set(name, flag)
    // An empty value, e.g. of an unset variable, must not mean all records.
    if (field.kind === 'refs' && typeof value === 'string' && value.trim() === '')
      throw usageError('emptyRecords', { flag, try: `${flag} none` })
    if (value !== undefined) texts.set(name, await textOf(cli, field, value === true ? 'true' : String(value)))
  }
  return texts
}

export function formFlags(resource: Resource, { isEdit }: { isEdit: boolean }): Flag[] {
  const clearable = clearableFields(resource).map(([name]) => kebab(name))
  const select = { kind: 'query', of: 'server' } as const
  return [
    ...(resource.withTargets ? [{ flags: '--select <query>', help: 'ui.cli.flags.targetQuery', values: select }] : []),
    ...(isEdit && clearable.length > 0
      ? [
          {
            flags: '--clear <list>',
            help: 'ui.cli.flags.clear',
            values: { kind: 'words', words: () => clearable, many: true } as const,
          },
        ]
      : []),
  ]
}

/** Errors: `usage` for a field that is no secret. */
export function clearedFields(shape: FormShape, flags: FlagValues): string[] {
  const known = clearableFields(shape).map(([name]) => name)
  const given = textFlag(flags, 'clear')
  return (given === undefined ? [] : listParts(given)).map((text) => {
    const name = text.replaceAll('-', '_')
    if (known.includes(name)) return name
    const near = nearest(text, known.map(kebab))
    const words = known.map(kebab).join(', ')
    throw usageError('unknownField', { name: text, near, known: words })
  })
}

function clearableFields(shape: FormShape): [string, Field][] {
  return formFields(shape).filter(([, field]) => field.kind === 'secret' && !field.needed)
}

async function textOf({ io }: Cli, field: Field, text: string): Promise<string> {
  if (field.kind === 'secret') return readGiven(io, text, { lines: field.lines === true })
  if (field.kind === 'rules' && text.startsWith('@')) return readGiven(io, text.slice(1), { lines: true })
  return text === '-' && fromStdin.includes(field.kind) ? (await io.stdin.readAll()).replace(/\n$/, '') : text
}

function formFields({ form, fields }: FormShape): [string, Field][] {
  return form
    .flatMap((group) => group.fields.map(({ field }): [string, Field] => [field, fieldOf({ fields }, field)]))
    .filter(([, field]) => !field.hidden)
}

function valuesOf(field: Field): Values | undefined {
  if (field.kind === 'ref') return { kind: 'records', of: field.to }
  if (field.kind === 'refs') return { kind: 'records', of: field.to, many: true }
  const { options } = field.kind === 'list' ? field : {}
  return options && { kind: 'words', words: () => options, many: true }
}

function wordOf(field: Field): string {
  if (field.kind === 'flag') return '[yes|no]'
  if (field.kind === 'choice') return `<${Object.keys(field.options).map(optionFlag).join('|')}>`
  if (field.kind === 'secret') return '<file>'
  return field.kind === 'refs' || field.kind === 'list' ? '<list>' : `<${field.kind}>`
}

function kebab(name: string): string {
  return name.replaceAll('_', '-')
}

function camel(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
