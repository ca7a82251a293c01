import { flagName } from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import type { AnyRow, FormShape, Resource, Viewer } from '@qd/core/define'
import { fieldOf } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { hasSelection, server } from '@qd/core/resources'
import { createForm, type FormMode, type FormModel } from '@qd/core/view'
import { type Cli, type FlagValues, textFlag } from '../command.ts'
import { selected } from '../pick.ts'
import { clearedFields, fieldTexts } from './field-flags.ts'

export interface Given {
  readonly texts: ReadonlyMap<string, string>
  readonly cleared: readonly string[]
  readonly selection: string | undefined
}

export async function givenOf(cli: Cli, resource: Resource, flags: FlagValues): Promise<Given> {
  const texts = await fieldTexts(cli, resource, flags)
  const cleared = clearedFields(resource, flags)
  const twice = cleared.find((field) => texts.has(field))
  if (twice !== undefined)
    throw new AppError('usage', { reason: 'givenTwice', flag: cli.typedFlags.get(twice) ?? flagName(twice) })
  return { texts, cleared, selection: resource.withTargets ? textFlag(flags, 'select') : undefined }
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  readonly changes: readonly string[]
  readonly targetPreview: ReturnType<FormModel['targetPreview']>
  readonly runs: ReturnType<FormModel['runs']>
  readonly preview: readonly string[]
}

interface FillRequest {
  resource: Resource
  mode: FormMode
  base: AnyRow | null
  records: Records
  viewer: Viewer
  given: Given
  isForeseen: boolean
}

/**
 * Fills a form. Asks for a missing required secret if possible. Errors: `invalid` by flag; `usage` for a flag without
 * effect; `notFound` for an empty selection.
 */
export async function fill(cli: Cli, request: FillRequest): Promise<Filled> {
  const { resource, mode, base, records, viewer, given, isForeseen } = request
  const texts = new Map(given.texts)
  const targets = await targetsOf(request)
  for (;;) {
    const { submitted, unseen, ...filled } = await records.read((view) => {
      const form = createForm({ resource, mode, row: base, view, viewer, translator: cli.translator })
      for (const [field, text] of texts) form.setText(field, text)
      for (const field of given.cleared) form.set(field, null)
      const targeted = targets ? fillTargets(resource, form, { targets, texts, selection: given.selection }) : []
      const visible = form.groups().flatMap((group) => group.fields.map(({ field }) => field))
      const hidden = (fields: Iterable<string>) => [...fields].find((field) => !visible.includes(field))
      const unused = hidden([...texts.keys(), ...given.cleared])
      return {
        submitted: form.submit(),
        unseen:
          unused === undefined ? hidden(targeted) && '--select' : (cli.typedFlags.get(unused) ?? flagName(unused)),
        changes: form.changes(),
        targetPreview: isForeseen ? form.targetPreview() : null,
        runs: isForeseen ? form.runs() : null,
        preview: isForeseen && !hasSecrets(resource) ? (form.preview() ?? []) : [],
      }
    })
    if (submitted.ok) {
      if (unseen !== undefined) throw new AppError('usage', { reason: 'noEffect', flag: unseen })
      return { ...filled, input: submitted.input }
    }
    const missing = submitted.problems.find((problem) => isMissingSecret(resource, problem, texts))
    if (!cli.canAsk || missing === undefined || submitted.problems.length > 1)
      throw new AppError('invalid', {}, { problems: submitted.problems })
    const label = cli.translator.say(`resources.${resource.name}.fields.${missing.field}`)
    texts.set(missing.field, await cli.demandText(`${label}:`, { secret: true }))
  }
}

async function targetsOf({ records, given: { selection, texts }, resource }: FillRequest): Promise<number[] | null> {
  if (selection === undefined) return null
  const lists = Object.keys(resource.fields).filter((name) => {
    const field = fieldOf(resource, name)
    return field.kind === 'refs' && field.to === 'server' && texts.has(name)
  })
  if (lists.length > 0) throw new AppError('usage', { reason: 'givenTwice', flag: '--select' })
  const rows = await selected({ resource: server, records, text: selection, empty: 'help' })
  // A followed selection may match servers later.
  const follows = /^(true|yes|on|1)$/i.test(texts.get('follows') ?? '')
  if (rows.length === 0 && !follows) throw new AppError('notFound', { name: selection, resource: 'server' })
  return rows.map(({ id }) => id)
}

/** Sets the target servers, keeping a typed choice. Returns the written fields. */
function fillTargets(
  resource: Resource,
  form: FormModel,
  given: { targets: readonly number[]; selection: string | undefined; texts: ReadonlyMap<string, string> },
): string[] {
  const { targets, texts, selection } = given
  const { withTargets, fields } = resource
  const wrong = new Set(form.problems().map(({ field }) => field))
  const all = Object.entries(withTargets!(form.values(), targets))
  const values = all.filter(
    ([field]) =>
      !(fieldOf({ fields }, field).kind === 'choice' && texts.has(field)) && !(texts.has(field) && wrong.has(field)),
  )
  for (const [field, value] of values) form.set(field, value)
  if (selection === undefined || !hasSelection(resource) || values.length < all.length)
    return values.map(([field]) => field)
  form.set('server_query', selection)
  return form.values().follows === true ? [] : values.map(([field]) => field)
}

function isMissingSecret({ fields }: FormShape, { field, code }: Problem, texts: ReadonlyMap<string, string>): boolean {
  const definition = fields[field]
  return code === 'required' && definition?.kind === 'secret' && !texts.has(field)
}

export function hasSecrets({ form, fields }: FormShape): boolean {
  return form.some((group) => group.fields.some(({ field }) => fieldOf({ fields }, field).kind === 'secret'))
}
