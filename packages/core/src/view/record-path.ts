import type { Resource } from '../define/index.ts'

/** Where the page of one record is: a page of its own, or its panel beside the list. */
export function recordPath({ path, detail }: Pick<Resource, 'path' | 'detail'>, id: number): string {
  return detail.isPage ? `${path}/${id}` : `${path}?open=${id}`
}
