import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** What happens to a server over time; texts at `ui.events.<kind>` with the event's parameters. */
export const eventKinds = [
  'enrolled',
  'online',
  'offline',
  'restarted',
  'agent-version',
  'ip-changed',
  'two-agents',
  'incident-opened',
  'incident-closed',
  'run',
] as const
export type EventKind = (typeof eventKinds)[number]

/** One event: newest first in answers of `GET server/{id}/event`. */
export const serverEvent = lazy(() =>
  z.object({
    id: z.int(),
    at: z.string(),
    kind: z.enum(eventKinds),
    params: z.record(z.string(), z.union([z.string(), z.number()])).catch({}),
  }),
)
export type ServerEvent = z.output<ReturnType<typeof serverEvent>>

/** An answer of events; those of kinds that are not known here are left out. */
export const serverEvents = lazy(() =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => serverEvent().safeParse(one).data ?? [])),
)
