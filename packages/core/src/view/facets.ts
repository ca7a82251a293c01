import { isSupported, queryWords, type Resource, type Tone, textKey, type View } from '../define/index.ts'
import { defined } from '../errors.ts'
import type { Translator } from '../i18n/index.ts'
import { type Token, tokens } from '../targets/index.ts'

export interface Facet {
  readonly option: string
  readonly label: string
  readonly tone: Tone
  /** Includes the options that this one covers. */
  readonly count: number
  /** The option that covers this one; null for none. */
  readonly partOf: string | null
  /** All queries for it, including former words; the first one is written into a filter. */
  readonly filters: readonly string[]
}

/** In the definition’s order, including unused options, so that nothing jumps. Empty if the server doesn’t support the field. */
export function facetsOf(
  resource: Resource,
  counts: Readonly<Record<string, number>>,
  view: Pick<View, 'supports'>,
): Facet[] {
  const field = resource.facet === null ? undefined : resource.fields[resource.facet]
  if (resource.facet === null || field?.kind !== 'choice' || !isSupported(field, view)) return []
  const options = Object.keys(field.options).map((option): Facet => {
    const filters = queryWords(field, option).map((word) => (field.words ? word : `${resource.facet}:${word}`))
    return {
      option,
      label: textKey.option(resource.name, defined(resource.facet), option),
      tone: field.tones?.[option] ?? 'plain',
      count: [option, ...(field.covers?.[option] ?? [])].reduce((sum, one) => sum + (counts[one] ?? 0), 0),
      partOf: Object.keys(field.covers ?? {}).find((one) => field.covers?.[one]?.includes(option)) ?? null,
      filters,
    }
  })
  return [...options, ...countedFacet(resource, counts, view)]
}

/** The flag that is counted beside the options, only while a record has it, since it is rare. */
function countedFacet(
  { name, counted, fields }: Resource,
  counts: Readonly<Record<string, number>>,
  view: Pick<View, 'supports'>,
): Facet[] {
  const count = counted === null ? 0 : (counts[counted] ?? 0)
  if (counted === null || count === 0 || !isSupported(fields[counted], view)) return []
  return [
    {
      option: counted,
      label: textKey.state(name, counted),
      tone: 'plain',
      count,
      partOf: null,
      filters: [`${counted}:yes`],
    },
  ]
}

/** The same text on every surface: "38 online", and beside it "2 of them warning". */
export function facetText(
  { label, count, partOf }: Facet,
  { say, t }: Pick<Translator, 'say' | 't'>,
  number: string,
): string {
  const state = say(label)
  return partOf !== null && count > 0 ? t('ui.list.ofThem', { number, state }) : t('ui.list.facet', { number, state })
}

/** The option that the filter selects with a word of its own. */
export function chosenFacet(facets: readonly Facet[], filter: string): string | null {
  return choicesIn(facets, filter)[0]?.option ?? null
}

/** Selects an option in the filter instead of another one, or deselects it; the rest stays as typed. */
export function withFacet(facets: readonly Facet[], filter: string, option: string | null): string {
  const choices = choicesIn(facets, filter)
  const rest = choices
    .reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to).trimStart(), filter)
    .trim()
  const added = facets.find((facet) => facet.option === option && !choices.some((choice) => choice.option === option))
  if (!added) return rest
  return `${isAlternative(tokens(rest)) ? `(${rest})` : rest} ${added.filters[0]}`.trim()
}

/** Selected options outside of groups, negations and alternatives. */
function choicesIn(facets: readonly Facet[], filter: string): { from: number; to: number; option: string }[] {
  const found = tokens(filter)
  if (isAlternative(found)) return []
  let depth = 0
  return found.flatMap((token, index) => {
    if (token.kind === 'open') depth += 1
    if (token.kind === 'close') depth -= 1
    const end = token.kind === 'key' ? endOfTerm(found, index) : token
    if (depth !== 0 || !end || !['word', 'key'].includes(token.kind) || found[index - 1]?.kind === 'negation') return []
    const text = filter.slice(token.from, end.to).toLowerCase()
    const facet = facets.find((one) => one.filters.some((query) => query.toLowerCase() === text))
    return facet ? [{ from: token.from, to: end.to, option: facet.option }] : []
  })
}

function endOfTerm(found: readonly Token[], key: number): Token | null {
  const value = found[key + 2]
  return value?.kind === 'value' && found[key + 3]?.kind !== 'comma' ? value : null
}

function isAlternative(found: readonly Token[]): boolean {
  let depth = 0
  return found.some(({ kind }) => {
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    return kind === 'or' && depth === 0
  })
}
