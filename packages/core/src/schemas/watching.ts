import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** Source: decisions.md, "Service cover". */
export const WatchCover = { allExcept: 0, onlyListed: 1 } as const

/** IDs whose value is true: `{"3": true, "4": false}` is 3. */
export function markedIds(map: unknown): number[] {
  return Object.entries((map ?? {}) as Record<string, unknown>)
    .filter(([, isMarked]) => isMarked === true)
    .map(([id]) => Number(id))
}

export function marks(ids: unknown): Record<string, boolean> {
  return Object.fromEntries((ids as readonly number[]).map((id) => [String(id), true]))
}

/** The targets of a coverage, regardless of owners. */
export function watchTargets({ cover, servers }: { cover: number; servers: readonly number[] }): {
  mode: 'only' | 'except'
  servers: readonly number[]
} {
  return { mode: cover === WatchCover.onlyListed ? 'only' : 'except', servers }
}

/** Deliveries of a message to notifiers. */
export const deliveries = lazy(() =>
  z
    .array(
      z.object({
        notification_id: z.int(),
        name: z.string().catch(''),
        at: z.string(),
        ok: z.boolean(),
        error: z.string().catch(''),
      }),
    )
    .catch([]),
)
export type Deliveries = z.output<ReturnType<typeof deliveries>>

/** What people did with an incident, and what it started; texts at `ui.timeline.<kind>`. */
const responseKinds = ['acknowledged', 'silenced', 'unsilenced', 'note', 'run'] as const

const response = lazy(() =>
  z.object({
    at: z.string(),
    kind: z.enum(responseKinds),
    by: z.string().catch(''),
    text: z.string().catch(''),
    until: z.string().nullable().catch(null),
    run: z.int().catch(0),
  }),
)
/** Oldest first, without unknown kinds. */
export const incidentResponses = lazy(() =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => response().safeParse(one).data ?? [])),
)
export type IncidentResponse = z.output<ReturnType<typeof response>>
