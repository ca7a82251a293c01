/** Bounds of a page (contract http-api 1.2; the upper one is ours, S-48). */
const usual = { limit: 25, most: 500 }

/** A part of a list. */
export interface Page {
  offset: number
  limit: number
}

/** What is said beside the records of a page. `total` match; `all` is the whole list, `counts` of it per option of its facet field (docs/paged-lists.md). */
export interface PageFacts extends Page {
  total: number
  all: number
  counts: Readonly<Record<string, number>>
}

/** The page that a query asks for; what is no number there is as if it were left out. */
export function readPage(query: URLSearchParams): Page {
  const offset = numberIn(query.get('offset'), { min: 0, fallback: 0 })
  return { offset, limit: Math.min(numberIn(query.get('limit'), { min: 1, fallback: usual.limit }), usual.most) }
}

/** A page as lists answer it (contract http-api 1.2; `all` and `counts` are ours). */
export function pageText(records: readonly unknown[], { offset, limit, total, all, counts }: PageFacts): string {
  const pagination = { ...(offset > 0 && { offset }), limit, ...(total > 0 && { total }) }
  return JSON.stringify({ ...(records.length > 0 && { value: records }), pagination, all, counts })
}

function numberIn(text: string | null, { min, fallback }: { min: number; fallback: number }): number {
  const value = text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= Number.MAX_SAFE_INTEGER ? value : fallback
}
