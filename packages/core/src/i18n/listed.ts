import type { Format } from './format.ts'
import type { Translator } from './translator.ts'

/** The first names and the number of others. */
export function firstNames(
  names: readonly string[],
  most: number,
  { translator, format }: { translator: Pick<Translator, 't'>; format: Pick<Format, 'list'> },
): string {
  const first = format.list(names.slice(0, most))
  const count = names.length - most
  return count > 0 ? translator.t('ui.value.namesAndMore', { names: first, count }) : first
}
