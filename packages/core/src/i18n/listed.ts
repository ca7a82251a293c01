import type { Format } from './format.ts'
import type { Translator } from './translator.ts'

/** The first names and the number of others. */
export function firstNames<Item>(
  items: readonly Item[],
  most: number,
  { translator, format }: { translator: Pick<Translator, 't'>; format: Pick<Format, 'list'> },
  nameOf: (item: Item) => string = String,
): string {
  const names = format.list(items.slice(0, most).map((item) => nameOf(item)))
  const count = items.length - most
  return count > 0 ? translator.t('ui.value.namesAndMore', { names, count }) : names
}
