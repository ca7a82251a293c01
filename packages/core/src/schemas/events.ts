import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** Events of a server; texts at `ui.events.<kind>` with the event’s parameters. */
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

export const serverEvent = lazy(() =>
  z.object({
    id: z.int(),
    at: z.string(),
    kind: z.enum(eventKinds),
    params: z.record(z.string(), z.union([z.string(), z.number()])).catch({}),
  }),
)
export type ServerEvent = z.output<ReturnType<typeof serverEvent>>

/** The response of `GET server/{id}/event`, newest first, without unknown kinds. */
export const serverEvents = lazy(() =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => serverEvent().safeParse(one).data ?? [])),
)
