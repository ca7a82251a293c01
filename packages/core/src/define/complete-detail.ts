import { type Detail, type DetailDefinition, pageKinds, type Section, type SectionKind } from './detail.ts'
import type { FieldKind } from './fields.ts'
import { fieldOf } from './form-shape.ts'
import type { Resource } from './resource.ts'

const drawnAlone: readonly FieldKind[] = ['part', 'trend', 'days', 'secret', 'percent', 'rate']
const long: readonly FieldKind[] = ['note', 'command', 'rules']

type Base = Pick<Resource, 'fields' | 'columns' | 'derived' | 'input' | 'wire' | 'title' | 'state'>

/** Fields for the facts of a record: its columns, then derived ones, then the rest. */
export function factFields({ fields, columns, derived, input, wire, title, state }: Base): string[] {
  const names = [...columns.map(({ field }) => field), ...Object.keys(derived), ...Object.keys(fields)]
  return [...new Set(names)].filter((name) => {
    const field = fieldOf({ fields }, name)
    const isOnlyTyped = name in input.shape && !(name in derived) && wire.shape === 'one'
    const isSaid = name === title || name === state?.field
    return !isSaid && !field.hidden && !field.formOnly && !isOnlyTyped && !drawnAlone.includes(field.kind)
  })
}

/** Default: facts, then long texts. */
export function completeDetail(base: Base, definition: DetailDefinition<string> | undefined): Detail {
  const { tags = [], sections = factSections(base) } = definition ?? {}
  const said = [...tags, ...sections.flatMap(fieldsOfSection)]
  const rest = factFields(base).filter((name) => name !== 'id' && !said.includes(name))
  const filled = sections.map((section) => (section.kind === 'rest' ? { ...section, fields: rest } : section))
  const isPage = sections.some(({ kind }) => (pageKinds as readonly SectionKind[]).includes(kind))
  return { tags, sections: isPage ? filled : [...filled, { kind: 'used-by' }], isPage }
}

function factSections(base: Base): readonly Section[] {
  const names = factFields(base).filter((name) => name !== 'id')
  const isLong = (name: string) => long.includes(fieldOf(base, name).kind)
  return [
    { kind: 'facts', fields: names.filter((name) => !isLong(name)) },
    ...names.filter(isLong).map((field): Section => ({ kind: 'text', field })),
  ]
}

export function fieldsOfSection(section: Section): readonly string[] {
  switch (section.kind) {
    case 'facts':
    case 'links':
      return section.fields
    case 'rest':
      return [...(section.without ?? []), ...(section.fields ?? [])]
    case 'lead':
    case 'problem':
    case 'text':
    case 'days':
    case 'parts':
      return [section.field]
    case 'timeline':
      return [section.opened, section.closed, section.told, section.responses, ...section.says]
    case 'notifies':
      return [section.group, ...section.when]
    case 'figures':
      return section.figures.flatMap(({ field, second }) => (second === undefined ? [field] : [field, second]))
    case 'latency':
    case 'checks':
    case 'events':
    case 'related':
    case 'hosted':
    case 'used-by':
      return []
  }
}
