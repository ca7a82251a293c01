import { createDryRun, describeCalls, saveForm } from '../actions/index.ts'
import { type AnyRow, actionKey, type Resource, textKey } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'
import { jsonFields, recordJson, sortRows } from '../view/index.ts'
import { askFirst, dryRunProperty, nothingDone } from './action-tools.ts'
import { oneRecord, recordOf, selected } from './choosing.ts'
import { type Json, objectOf, type Tool } from './tool.ts'
import { propertiesOf, valuesOf } from './values.ts'

const usualLimit = 50
const largestLimit = 500

export function recordTools(resource: Resource, translator: Translator): readonly Tool[] {
  const { wire } = resource
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const forms = (['create', 'edit', 'duplicate'] as const).filter((mode) => has(mode === 'duplicate' ? 'create' : mode))
  return [
    ...(wire.shape === 'many' && has('list') ? [listTool(resource, translator)] : []),
    getTool(resource, translator),
    ...forms.map((mode) => formTool(resource, mode, translator)),
  ]
}

function listTool(resource: Resource, { say }: Translator): Tool {
  const { name, scopes, audience } = resource
  const properties = {
    select: { type: 'string', description: 'query; default: all' },
    fields: { type: 'array', items: { enum: jsonFields(resource) }, description: 'default: all' },
    ...(resource.host && { on: { type: 'string', description: 'query over servers; default: all' } }),
    limit: { type: 'integer', minimum: 1, maximum: largestLimit, description: `default ${usualLimit}` },
  }
  return {
    ...{ name: `${name}.ls`, description: `${say(textKey.many(name))}, as a list.`, scope: scopes.read },
    audience: audience.read,
    ...{ isReading: true, isFinal: false, inputSchema: { ...objectOf(properties), additionalProperties: false } },
    async call(caller, { select = '', on, limit = usualLimit, fields = null }) {
      await caller.records.ask(resource, (fields as readonly string[] | null) ?? [])
      const rows = await selected(caller, resource, String(select), on === undefined ? undefined : String(on))
      const shown = await caller.records.read((view) =>
        sortRows(resource, rows, resource.sort, view)
          .slice(0, Number(limit))
          .map((row) => recordJson(resource, row, fields as readonly string[] | null, view)),
      )
      // A host that can’t be read is no host without records.
      const unread = caller.records.hosts(resource).filter(({ state }) => state !== 'read')
      return { total: rows.length, records: shown, ...(unread.length > 0 && { unread }) }
    },
  }
}

function getTool(resource: Resource, { say }: Translator): Tool {
  const { name, scopes, wire, audience } = resource
  const isMany = wire.shape === 'many'
  const inputSchema = isMany ? objectOf({ record: oneRecord }, ['record']) : objectOf({})
  return {
    ...{ name: `${name}.get`, description: `${say(textKey.one(name))}, one complete record.`, scope: scopes.read },
    audience: audience.read,
    ...{ isReading: true, isFinal: false, inputSchema: { ...inputSchema, additionalProperties: false } },
    async call(caller, { record }) {
      const row = await recordOf(caller, resource, record)
      return caller.records.read((view) => recordJson(resource, row, null, view))
    },
  }
}

function formTool(resource: Resource, mode: 'create' | 'edit' | 'duplicate', translator: Translator): Tool {
  const { name, wire, actions } = resource
  const isOf = mode !== 'create' && wire.shape === 'many'
  const properties = {
    ...(isOf && { record: oneRecord }),
    ...propertiesOf(resource, translator),
    dry_run: dryRunProperty,
  }
  const label = actions[mode] ? translator.say(actionKey(actions[mode])) : mode
  const kept = {
    create: '',
    edit: 'Omitted fields keep their values.',
    duplicate: 'Omitted fields are copied from the record.',
  }[mode]
  const said = [`${label} (${translator.say(textKey.one(name))}).`, kept, askFirst].filter(Boolean).join(' ')
  return {
    ...{ name: `${name}.${mode}`, description: said, scope: resource.scopes.write, isReading: false, isFinal: false },
    audience: resource.audience.write,
    inputSchema: { ...objectOf(properties, isOf ? ['record'] : []), additionalProperties: false },
    async call(caller, { record, dry_run: dryRun, ...given }) {
      const base = mode === 'create' ? null : await recordOf(caller, resource, record)
      const values = await caller.records.read((view) => valuesOf(resource, given, view))
      const input = { ...startOf(resource, base), ...values }
      const order = { resource, mode, base, input, supports: caller.supports, keeps: true } as const
      if (dryRun !== false) {
        const api = createDryRun(caller.client)
        await saveForm({ ...order, api })
        return { dry_run: true, calls: describeCalls(api), next: nothingDone }
      }
      const { id, secret } = await saveForm({ ...order, api: caller.client })
      return { done: true, id, ...(secret && { [secret.field]: secret.text }) }
    },
  }
}

/** Initial values of a form. Omits secrets, so that they stay unchanged. */
function startOf(resource: Resource, base: AnyRow | null): Json {
  if (!base) return resource.initial
  return Object.fromEntries(
    Object.keys(resource.input.shape).map((name) => [
      name,
      resource.fields[name]?.kind === 'secret' ? resource.initial[name] : base[name],
    ]),
  )
}
