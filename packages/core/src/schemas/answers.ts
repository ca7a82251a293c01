import * as z from 'zod'
import { type AnyRow, lazy, type Outcome } from '../define/index.ts'

const list = lazy(() => z.array(z.int()).catch([]))

/** The response of a call that fans out over servers. `run_id` only from our server. Source: contract http-api 4.15. */
const sentAnswer = lazy(() =>
  z
    .object({ run_id: z.int().nullable().catch(null), success: list(), offline: list(), failure: list() })
    .catch({ run_id: null, success: [], offline: [], failure: [] }),
)

export function sentAs(answer: unknown, rows: readonly AnyRow[]): Outcome {
  const { run_id, ...buckets } = sentAnswer().parse(answer ?? {})
  const hasBuckets = Object.values(buckets).some((ids) => ids.length > 0)
  return {
    kind: 'sent',
    run: run_id,
    changed: rows.map((row) => row.id),
    ...(hasBuckets ? { buckets } : {}),
  }
}

/** The request as the server saw it, from `GET /capabilities`: shows what a reverse proxy changed. */
export const requestAsSeen = lazy(() => z.object({ seen: z.object({ host: z.string(), secure: z.boolean() }) }))
