import { optionName } from './fields.ts'
import type { FormShape } from './form-shape.ts'
import type { Resource } from './resource.ts'

/** Derived text keys below `resources.<name>`. */
export const textKey = {
  one: (resource: string) => `resources.${resource}.one`,
  many: (resource: string) => `resources.${resource}.many`,
  tab: (resource: string) => `resources.${resource}.tab`,
  field: (resource: string, field: string) => `resources.${resource}.fields.${field}`,
  short: (resource: string, field: string) => `resources.${resource}.short.${field}`,
  help: (resource: string, field: string) => `resources.${resource}.help.${field}`,
  flag: (resource: string, field: string) => `resources.${resource}.flags.${field}`,
  absent: (resource: string, field: string) => `resources.${resource}.absent.${field}`,
  withheld: (resource: string, field: string) => `resources.${resource}.withheld.${field}`,
  counted: (resource: string, field: string, text: string) => `resources.${resource}.counted.${field}.${text}`,
  option: (resource: string, field: string, option: string) => `resources.${resource}.options.${field}.${option}`,
  serverCheck: (resource: string, check: string) => `resources.${resource}.serverChecks.${check}`,
  preview: (form: string) => `resources.${form}.preview`,
  preset: (resource: string, preset: string) => `resources.${resource}.presets.${preset}`,
  group: (resource: string, group: string) => `resources.${resource}.groups.${group}`,
  action: (resource: string, action: string) => `resources.${resource}.actions.${action}`,
  state: (resource: string, state: string) => `resources.${resource}.states.${state}`,
  warning: (resource: string, warning: string) => `resources.${resource}.warnings.${warning}`,
  reason: (resource: string, reason: string) => `resources.${resource}.reasons.${reason}`,
  aliases: (resource: string, action: string) => `resources.${resource}.aliases.${action}`,
  section: (resource: string, of: string) => `resources.${resource}.sections.${of}`,
  problem: (code: string) => `errors.problem.${code}`,
  error: (code: string) => `errors.${code}`,
} as const

/** Labels at `ui.fields.<field>`. */
export const commonFields: readonly string[] = ['id', 'created_at', 'updated_at', 'owner']
/** Labels at `ui.actions.<action>`. */
export const commonActions: readonly string[] = ['open', 'details', 'edit', 'duplicate', 'copy-id', 'logs', 'delete']

export function tabKey({ name, tab }: Pick<Resource, 'name' | 'tab'>): string {
  return tab ? textKey.tab(name) : textKey.one(name)
}

export function fieldKey(resource: { name: string }, field: string): string {
  return commonFields.includes(field) ? `ui.fields.${field}` : textKey.field(resource.name, field)
}

export function actionKey(action: { resource: string; name: string }): string {
  return commonActions.includes(action.name)
    ? `ui.actions.${action.name}`
    : textKey.action(action.resource, action.name)
}

/** Null for an unknown option, shown as "unknown (7)". */
export function optionKey(resource: FormShape, field: string, value: unknown): string | null {
  const definition = resource.fields[field]
  const name = definition?.kind === 'choice' ? optionName(definition, value) : null
  return name === null ? null : textKey.option(resource.name, field, name)
}

export function neededKeys(resource: Resource): readonly string[] {
  const { name } = resource
  const keys = [textKey.one(name), textKey.many(name), ...formKeys(resource)]
  const { reveals } = resource.wire.calls.create
  if (reveals !== undefined) keys.push(textKey.field(name, reveals))
  if (resource.preview) keys.push(textKey.preview(name))
  keys.push(...Object.keys(resource.presets).map((preset) => textKey.preset(name, preset)))
  if (resource.tab) keys.push(textKey.tab(name))
  keys.push(...Object.keys(resource.serverChecks).map((check) => textKey.serverCheck(name, check)))
  keys.push(...(resource.state?.states ?? []).map((state) => textKey.state(name, state)))
  for (const section of resource.detail.sections)
    if (section.kind === 'related' && typeof section.by !== 'string') keys.push(textKey.section(name, section.of))
  for (const action of Object.values(resource.actions)) {
    keys.push(actionKey(action))
    if (!commonActions.includes(action.name)) keys.push(textKey.aliases(name, action.name))
    keys.push(...action.blocked.map(({ reason }) => textKey.reason(name, reason)))
    keys.push(...action.refusals.map((reason) => textKey.reason(name, reason)))
    if (action.unchosen !== null) keys.push(textKey.reason(name, action.unchosen))
    keys.push(...action.warn.map(({ warning }) => textKey.warning(name, warning)))
    if (action.args) keys.push(...formKeys(action.args))
    if (action.args?.preview) keys.push(textKey.preview(action.args.name))
  }
  return [...new Set(keys)]
}

function formKeys({ name, fields, form }: FormShape): string[] {
  const keys = form.map(({ group }) => textKey.group(name, group))
  for (const [field, definition] of Object.entries(fields)) {
    if (definition.hidden || definition.kind === 'part') continue
    keys.push(fieldKey({ name }, field))
    if (definition.withheldWhen) keys.push(textKey.withheld(name, field))
    if (definition.absentWhen) keys.push(textKey.absent(name, field))
    if (definition.short) keys.push(textKey.short(name, field))
    if (definition.help) keys.push(textKey.help(name, field))
    if (definition.flag) keys.push(textKey.flag(name, field))
    if (definition.kind !== 'choice') continue
    keys.push(...Object.keys(definition.options).map((option) => textKey.option(name, field, option)))
    keys.push(...(definition.counted?.texts ?? []).map((text) => textKey.counted(name, field, text)))
  }
  return keys
}
