import type { UsedBy } from '../actions/index.ts'
import {
  type AnyRow,
  fieldKey,
  fieldOf,
  fieldValue,
  isSupported,
  type Resource,
  type Section,
  type SectionOf,
  textKey,
  type View,
} from '../define/index.ts'
import { defined, firstItem } from '../errors.ts'
import { type Presented, plainText } from '../fields/index.ts'
import { nounOf, type Translator } from '../i18n/index.ts'
import { loadedTargets, resourceByName } from '../resources/index.ts'
import { presentCell, type Surface } from './cell.ts'
import { sortRows } from './order.ts'

export interface Fact {
  readonly field: string
  readonly label: string
  readonly shown: Presented
}

export interface RecordLink {
  readonly resource: Resource
  readonly id: number
  readonly title: string
}

export interface UsedByGroup extends UsedBy {
  /** "Alert rules", "Alert rules (through notification groups)". */
  readonly label: string
  readonly links: readonly RecordLink[]
}

export function isUnsaid(value: unknown): boolean {
  return value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The sections of a detail page, without fields that the server doesn’t support. */
export function sectionsOf(resource: Resource, view: Pick<View, 'supports'>): readonly Section[] {
  return resource.detail.sections.filter(
    (section) =>
      isSupported(section, view) && (!('field' in section) || isSupported(resource.fields[section.field], view)),
  )
}

/** A detail page has room for the time of day of another month. */
function presentFact(surface: Surface, resource: Resource, row: AnyRow, field: string): Presented {
  const shown = presentCell(surface, { resource, row, field })
  if (fieldOf(resource, field).kind !== 'instant' || typeof shown.sort !== 'number') return shown
  return { ...shown, text: surface.format.instantRoomy(shown.sort, surface.view.now) }
}

export function factsOf(surface: Surface, resource: Resource, row: AnyRow, fields: readonly string[]): Fact[] {
  return fields.flatMap((field) => {
    const { kind } = fieldOf(resource, field)
    const value = fieldValue(resource, row, field, surface.view)
    if (isUnsaid(value) || (kind === 'ref' && value === 0)) return []
    const shown = presentFact(surface, resource, row, field)
    return shown.text === '' ? [] : [{ field, label: surface.translator.say(fieldKey(resource, field)), shown }]
  })
}

/** The tags beside the title: a flag by its name, anything else by its value. */
export function tagsOf(surface: Surface, resource: Resource, row: AnyRow): string[] {
  return factsOf(surface, resource, row, resource.detail.tags).flatMap(({ field, label, shown }) => {
    if (fieldOf(resource, field).kind !== 'flag') return [shown.text]
    return row[field] === true ? [label] : []
  })
}

export function linksOf(
  { view }: Pick<Surface, 'view'>,
  resource: Resource,
  row: AnyRow,
  fields: readonly string[],
): RecordLink[] {
  return fields.flatMap((name) => {
    const field = fieldOf(resource, name)
    if (field.kind !== 'ref' && field.kind !== 'refs') return []
    const to = resourceByName(field.to)
    const value = fieldValue(resource, row, name, view)
    const ids = (Array.isArray(value) ? value : [value]) as readonly number[]
    return to ? ids.filter((id) => id > 0).map((id) => linkTo(view, to, id)) : []
  })
}

function linkTo(view: Surface['view'], resource: Resource, id: number): RecordLink {
  return { resource, id, title: plainText(view.title(resource.name, id) ?? `#${id}`) }
}

/** Null if the section has no heading, or draws its own. */
export function headingOf({ t, say }: Translator, resource: Resource, section: Section): string | null {
  switch (section.kind) {
    case 'lead':
    case 'facts':
    case 'figures':
    case 'parts':
    case 'hosted':
      return null
    case 'problem':
    case 'text':
    case 'days':
      return say(fieldKey(resource, section.field))
    case 'links':
      return section.headed ? say(fieldKey(resource, firstItem(section.fields))) : null
    case 'notifies':
      return say(fieldKey(resource, section.group))
    case 'timeline':
      return t('ui.detail.timeline')
    case 'related':
      return say(typeof section.by === 'string' ? textKey.many(section.of) : textKey.section(resource.name, section.of))
    case 'latency':
      return t('ui.detail.latency')
    case 'checks':
      return t('ui.detail.checks')
    case 'events':
      return t('ui.detail.events')
    case 'rest':
      return t('ui.detail.rest')
    case 'used-by':
      return t('ui.detail.usedBy')
  }
}

/** The loaded records of a `related` section in their list’s order. */
export function relatedRows({ view, viewer }: Surface, section: SectionOf<'related'>, id: number): readonly AnyRow[] {
  const resource = resourceByName(section.of)
  const { by } = section
  const names = (value: unknown) => (Array.isArray(value) ? value.includes(id) : value === id)
  const isMine = (row: AnyRow) =>
    typeof by === 'string'
      ? names(row[by])
      : loadedTargets(defined(resource.targets)(row), { view, viewer, row }).targets.ids.includes(id)
  return sortRows(resource, view.all(section.of).filter(isMine), resource.sort, view)
}

/** The group that a `notifies` section names, and its members; null if there is none. */
export function notifiedGroup(
  { view }: Pick<Surface, 'view'>,
  resource: Resource,
  row: AnyRow,
  section: SectionOf<'notifies'>,
) {
  const [group] = section.when.some((field) => row[field] === true)
    ? linksOf({ view }, resource, row, [section.group])
    : []
  if (!group) return null
  const found = view.find(group.resource.name, group.id)
  return {
    group,
    members: found ? linksOf({ view }, group.resource, found, Object.keys(group.resource.input.shape)) : [],
  }
}

export function usedByGroups(
  { view, translator }: Pick<Surface, 'view' | 'translator'>,
  found: readonly UsedBy[],
): UsedByGroup[] {
  const { say, t, language } = translator
  return found.map((one) => {
    const noun = say(textKey[one.ids.length === 1 ? 'one' : 'many'](one.resource.name))
    const group = one.through && nounOf(say(textKey.many(one.through.name)), language)
    return {
      ...one,
      label: group === null ? noun : t('ui.detail.through', { noun, group }),
      links: one.ids.map((id) => linkTo(view, one.resource, id)),
    }
  })
}

/** The URL of a record: its own page, or its panel beside the list. */
export function recordPath({ path, detail }: Pick<Resource, 'path' | 'detail'>, id: number): string {
  return detail.isPage ? `${path}/${id}` : `${path}?open=${id}`
}
