import { createDryRun, flagName, namedTargets, type Saved, saveForm } from '@qd/core/actions'
import { isRefused, listNamed, type Records, selected } from '@qd/core/api'
import {
  type AnyRow,
  type ApiPort,
  demand,
  type FormShape,
  fieldOf,
  type Resource,
  titleOf,
  type Viewer,
} from '@qd/core/define'
import { AppError, type Problem, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import {
  createForm,
  type FormMode,
  fillTargets,
  hasSecrets,
  isUntargeted,
  jsonFields,
  parseFields,
  recordJson,
} from '@qd/core/view'
import { aboutResource, type Cli, type Command, type FlagValues, nobody, textFlag } from './command.ts'
import { clearedFields, fieldFlags, fieldTexts, formFlags } from './flags/field-flags.ts'
import { dryRunFlag, resultFlags } from './flags/flags.ts'
import { writtenExamples } from './help/examples.ts'
import { printDryRun } from './printing/show.ts'
import { findOne, recordsOf } from './read.ts'

/** `word`: the record to edit or duplicate. Returns an exit code if declined. Errors: AppError; `invalid` by flag. */
async function save(
  cli: Cli,
  from: { resource: Resource; mode: FormMode; word: string | undefined; verb: string; flags: FlagValues },
): Promise<number | undefined> {
  const { resource, mode, word, verb, flags } = from
  const fields = typeof flags.json === 'string' ? parseFields(resource, flags.json) : null
  const isDry = flags.dryRun === true
  const given = await givenOf(cli, resource, flags)
  const { texts, cleared, selection } = given
  if (mode === 'edit' && texts.size === 0 && cleared.length === 0 && selection === undefined)
    throw usageError('nothingToChange', { try: `qd ${resource.name} --help` })
  const records = await recordsOf(cli)
  const known =
    flags.ifAbsent === true ? await namesake(cli, { resource, records, title: texts.get(resource.title) }) : null
  if (known) {
    await printSaved(cli, { resource, row: known, records, fields, flags })
    return undefined
  }
  const base = mode === 'create' ? null : await findOne(resource, records, word, verb)
  const { client, viewer: whoIs } = await cli.connect()
  const isSelected = selection !== undefined
  const isForeseen = isDry || isSelected || resource.idle !== null
  const viewer = resource.targets && isForeseen ? await whoIs() : nobody
  const filled = await fill(cli, { resource, mode, base, records, viewer, given, isForeseen }).catch(async (thrown) => {
    const who = await whoIs().catch(() => null)
    const action = resource.actions[mode]
    if (who && action) demand(who, action)
    throw thrown
  })
  if (mode === 'edit' && filled.changes.length === 0) {
    cli.note(cli.t('ui.cli.save.unchanged'))
    await printSaved(cli, { resource, row: base!, records, fields, flags })
    return undefined
  }
  if (isSelected && !isDry && !filled.targetPreview?.isIdle) for (const line of targetsNote(cli, filled)) cli.note(line)
  const follows = filled.input.follows === true ? ['follows'] : []
  const asked = [...given.texts.keys(), ...cleared, ...follows].map((field) => resource.fields[field]?.requires ?? null)
  const needed = [resource.actions[mode]?.capability ?? resource.requires, ...asked].filter((name) => name !== null)
  const capabilities = await client.capabilities()
  const missing = needed.find((name) => !capabilities.includes(name))
  if (missing !== undefined) throw new AppError('unsupported', { capability: missing })
  // `--servers none` says that no targets are meant.
  if (mode === 'create' && isUntargeted(resource, filled.input, [...texts.keys()]))
    throw usageError('noTargets', { hint: 'targets' })
  const sendWith = (api: ApiPort) =>
    saveForm({
      api,
      resource,
      mode,
      base,
      input: filled.input,
      supports: (name) => capabilities.includes(name),
      keeps: true,
    })
  if (!isDry && filled.targetPreview?.isIdle) {
    cli.warn(cli.t('ui.preview.idle'))
    if (cli.canAsk && !(await cli.ask(cli.t('ui.cli.save.anyway')))) return cli.declined()
  }
  if (isDry) {
    const api = createDryRun(client)
    await sendWith(api)
    const { targetPreview } = filled
    const targets = targetPreview && { targets: namedTargets(targetPreview.targets, records.view()) }
    printDryRun(cli, { api, notes: previewNotes(cli, filled), json: flags.json !== undefined, ...targets })
    return undefined
  }
  const { id, secret } = await sendWith(client)
  if (id === null) {
    cli.note(cli.t('ui.cli.save.done'))
    return undefined
  }
  const fresh = await recordsOf(cli)
  const row = await readBack(fresh, resource, id)
  const title = row ? titleOf(resource, row) : String(filled.input[resource.title] ?? `#${id}`)
  if (resource.wire.shape === 'one') cli.note(cli.t('ui.cli.save.done'))
  else
    cli.note(
      cli.t(mode === 'edit' ? 'ui.cli.save.changed' : 'ui.cli.save.created', {
        name: plainText(title),
        id: String(id),
        resource: cli.say(`resources.${resource.name}.one`),
      }),
    )
  if (secret) cli.note(cli.t('ui.cli.save.once'))
  const saved = row ?? { id }
  const print = () =>
    printSaved(cli, { resource, row: saved, records: fresh, fields: row ? fields : ['id'], flags, secret })
  if (secret) await printOnce(cli, { resource, row: saved, records: fresh, print })
  else await print()
}

/** If a secret that can’t be read again can’t be printed, deletes its record: it would stay valid, with no one knowing it. */
async function printOnce(
  cli: Cli,
  { resource, row, records, print }: { resource: Resource; row: AnyRow; records: Records; print(): Promise<void> },
): Promise<void> {
  try {
    await print()
    await cli.io.stdout.flush()
  } catch (thrown) {
    const { client, viewer } = await cli.connect()
    const name = { resource: cli.say(`resources.${resource.name}.one`), id: String(row.id) }
    const isDeleted = await resource.actions
      .delete!.run({ api: client, viewer: await viewer(), view: records.view() }, [row], {})
      .then(() => true)
      .catch(() => false)
    cli.warn(cli.t(isDeleted ? 'ui.cli.save.unread' : 'ui.cli.save.unreadKept', name))
    throw thrown
  }
}

async function namesake(
  cli: Cli,
  { resource, records, title }: { resource: Resource; records: Records; title: string | undefined },
): Promise<AnyRow | null> {
  if (title === undefined) return null
  const found = (await listNamed(resource, records, title)).find((row) => titleOf(resource, row) === title)
  if (!found) return null
  cli.note(cli.t('ui.cli.save.exists', { name: plainText(title), id: String(found.id) }))
  return found
}

async function readBack(records: Records, resource: Resource, id: number): Promise<AnyRow | null> {
  try {
    if (resource.wire.shape === 'one') return await records.get(resource, 0)
    return (await records.list(resource)).find((one) => one.id === id) ?? (await records.get(resource, id))
  } catch (thrown) {
    if (!isRefused(thrown)) throw thrown
    return null
  }
}

async function printSaved(
  cli: Cli,
  from: {
    resource: Resource
    row: AnyRow
    records: Records
    fields: readonly string[] | null
    flags: FlagValues
    secret?: Saved['secret']
  },
): Promise<void> {
  const { resource, row, records, fields, flags, secret } = from
  if (flags.json !== undefined) {
    const value = await records.read((view) => recordJson(resource, row, fields, view))
    cli.json({ ...value, ...(secret ? { [secret.field]: secret.text } : {}) })
  } else if (secret) cli.print(secret.text)
  else if (!cli.io.stdout.isTTY && resource.wire.shape === 'many') cli.print(String(row.id))
}

function previewNotes(cli: Cli, filled: Filled): string[] {
  const { translator, format } = cli
  return [
    ...filled.preview,
    ...targetsNote(cli, filled),
    ...(filled.runs?.runs ?? []).map((at) =>
      translator.t('ui.cli.save.runs', { time: format.instantLong(at), zone: format.offset(at) }),
    ),
  ]
}

function targetsNote({ translator }: Cli, { targetPreview }: Filled): string[] {
  if (!targetPreview) return []
  const idle = targetPreview.isIdle ? [translator.t('ui.preview.idle')] : []
  return [plainText(translator.say(targetPreview.sentence.key, targetPreview.sentence.params)), ...idle]
}

export function savingCommand(resource: Resource, name: 'create' | 'edit' | 'duplicate' | 'set'): Command {
  const mode = name === 'set' ? 'edit' : name
  const isNamed = name === 'edit' || name === 'duplicate'
  return {
    name,
    examples: writtenExamples[`${resource.name} ${name}`] ?? [exampleOf(resource, isNamed ? `${name} 7` : name)],
    ...(isNamed && { args: '[name]', values: { kind: 'records', of: resource.name } as const }),
    help: aboutResource(`ui.cli.commands.${name}`, resource, 'one'),
    flags: [
      ...fieldFlags(resource),
      ...formFlags(resource, { isEdit: mode === 'edit' }),
      ...(mode === 'create' ? [{ flags: '--if-absent', help: 'ui.cli.flags.ifAbsent' }] : []),
      dryRunFlag,
      ...resultFlags(() => jsonFields(resource)),
    ],
    run: (cli, [given], flags) => save(cli, { resource, mode, word: given, verb: name, flags }),
  }
}

function exampleOf(resource: Resource, verb: string): string {
  const [first] = fieldFlags(resource)
  const flag = first?.flags.split(' ')[0] ?? ''
  return [resource.name, verb, flag === '' ? '' : `${flag} …`].filter(Boolean).join(' ')
}

type Given = Awaited<ReturnType<typeof givenOf>>

async function givenOf(cli: Cli, resource: Resource, flags: FlagValues) {
  const texts = await fieldTexts(cli, resource, flags)
  const cleared = clearedFields(resource, flags)
  const twice = cleared.find((field) => texts.has(field))
  if (twice !== undefined) throw usageError('givenTwice', { flag: cli.typedFlags.get(twice) ?? flagName(twice) })
  return { texts, cleared, selection: resource.withTargets ? textFlag(flags, 'select') : undefined }
}

type Filled = Awaited<ReturnType<typeof fill>>

interface FillRequest {
  resource: Resource
  mode: FormMode
  base: AnyRow | null
  records: Records
  viewer: Viewer
  given: Given
  isForeseen: boolean
}

/** Asks for a missing required secret if possible. Errors: `invalid` by flag; `usage` for a flag without effect; `notFound`. */
async function fill(cli: Cli, request: FillRequest) {
  const { resource, mode, base, records, viewer, given, isForeseen } = request
  const texts = new Map(given.texts)
  const targets = await targetsOf(request)
  for (;;) {
    const { submitted, unseen, ...filled } = await records.read((view) => {
      const form = createForm({ resource, mode, row: base, view, viewer, translator: cli.translator })
      for (const [field, text] of texts) form.setText(field, text)
      for (const field of given.cleared) form.set(field, null)
      const targeted = targets
        ? fillTargets(resource, form, { targets, typed: [...texts.keys()], query: given.selection! })
        : []
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
      if (unseen !== undefined) throw usageError('noEffect', { flag: unseen })
      return { ...filled, input: submitted.input }
    }
    const missing = submitted.problems.find((problem) => isMissingSecret(resource, problem, texts))
    if (!cli.canAsk || missing === undefined || submitted.problems.length > 1)
      throw new AppError('invalid', {}, { problems: submitted.problems })
    const label = cli.say(`resources.${resource.name}.fields.${missing.field}`)
    texts.set(missing.field, await cli.demandText(`${label}:`, { secret: true }))
  }
}

async function targetsOf({ records, given: { selection, texts }, resource }: FillRequest): Promise<number[] | null> {
  if (selection === undefined) return null
  const lists = Object.keys(resource.fields).filter((name) => {
    const field = fieldOf(resource, name)
    return field.kind === 'refs' && field.to === 'server' && texts.has(name)
  })
  if (lists.length > 0) throw usageError('givenTwice', { flag: '--select' })
  const rows = await selected({ resource: server, records, text: selection, empty: 'help' })
  // A followed selection may match servers later.
  const follows = /^(true|yes|on|1)$/i.test(texts.get('follows') ?? '')
  if (rows.length === 0 && !follows) throw new AppError('notFound', { name: selection, resource: 'server' })
  return rows.map(({ id }) => id)
}

function isMissingSecret({ fields }: FormShape, { field, code }: Problem, texts: ReadonlyMap<string, string>): boolean {
  const definition = fields[field]
  return code === 'required' && definition?.kind === 'secret' && !texts.has(field)
}
