import { flagName } from '@qd/core/actions'
import { type FormShape, fieldsOfSection, type Resource, resourceNames, type Section } from '@qd/core/define'
import { globalFlags } from '../../apps/tui/src/cli/commands/flags/flags.ts'

/** The flags that every command has. */
const taken = globalFlags.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])

/** What a definition says that cannot be, each with the entity and the place: what the types of its own file cannot know. */
export function definitionProblems(resource: Resource, all: readonly Resource[]): string[] {
  const { name, fields, detail } = resource
  const unknown = (place: string, field: string) =>
    field in fields ? [] : [`${name}: ${place} names the field “${field}”, which it has not`]
  const references = Object.entries(fields).flatMap(([field, definition]) =>
    'to' in definition && !resourceNames.includes(definition.to) && !all.some((one) => one.name === definition.to)
      ? [`${name}: fields.${field} refers to “${definition.to}”, which is no entity`]
      : [],
  )
  return [
    ...references,
    ...[resource, ...Object.values(resource.actions).flatMap(({ args }) => args ?? [])].flatMap(takenFlags),
    ...unknown('title', resource.title),
    ...unknown('sort', resource.sort.field),
    ...resource.columns.flatMap(({ field }, index) => unknown(`columns[${index}]`, field)),
    ...resource.search.flatMap((field, index) => unknown(`search[${index}]`, field)),
    ...detail.tags.flatMap((field, index) => unknown(`detail.tags[${index}]`, field)),
    ...detail.sections.flatMap((section, index) => {
      const place = `detail.sections[${index}] (${section.kind})`
      const missing = fieldsOfSection(section).flatMap((field) => unknown(place, field))
      return missing.length > 0
        ? missing
        : sectionProblems(resource, section, all).map((text) => `${name}: ${place} ${text}`)
    }),
  ]
}

/** The fields of a form whose flag would be hidden by one of every command. */
function takenFlags({ name, form, fields }: FormShape): string[] {
  return form
    .flatMap((group) => group.fields)
    .flatMap(({ field }) => {
      const { kind, aliases = [] } = fields[field]!
      return [flagName(field, kind), ...aliases.map((alias) => flagName(alias))]
        .filter((flag) => taken.includes(flag))
        .map((flag) => `${name}: the form’s field “${field}” has the flag ${flag}, which every command has`)
    })
}

/** What is wrong with a section whose fields are there. */
function sectionProblems({ name, fields }: Resource, section: Section, all: readonly Resource[]): string[] {
  const isNaming = (field: string) => ['ref', 'refs'].includes(fields[field]!.kind)
  switch (section.kind) {
    case 'links':
      return section.fields
        .filter((field) => !isNaming(field))
        .map((field) => `leads to “${field}”, which names no records`)
    case 'notifies':
      return isNaming(section.group) ? [] : [`tells “${section.group}”, which names no group`]
    case 'days':
      return fields[section.field]!.kind === 'days' ? [] : [`draws “${section.field}”, which is not of the kind days`]
    case 'latency':
    case 'checks':
    case 'events':
      return section.path.includes('{id}') ? [] : [`reads “${section.path}”, which has no {id}`]
    case 'related': {
      const of = all.find((one) => one.name === section.of)
      if (!of) return [`lists “${section.of}”, which is not built`]
      const absent = section.fields.filter((field) => !(field in of.fields))
      const texts = absent.map((field) => `shows “${field}” of ${of.name}, which has no such field`)
      if (typeof section.by !== 'string')
        return of.targets ? texts : [...texts, `lists what targets it of ${of.name}, which targets nothing`]
      const by = of.fields[section.by]
      const isMine = (by?.kind === 'ref' || by?.kind === 'refs') && by.to === name
      return isMine ? texts : [...texts, `goes by “${section.by}” of ${of.name}, which names no ${name}`]
    }
    default:
      return []
  }
}
