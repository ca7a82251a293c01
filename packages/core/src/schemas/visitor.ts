import * as z from 'zod'
import { lazy, reading } from '../define/index.ts'

const counts = z.array(z.number()).catch([])
const serviceItem = lazy(() =>
  z.object({
    service_name: z.string().catch(''),
    /** Only from our server: larger is higher up. */
    display_index: z.number().catch(0),
    status: z.int().catch(0),
    current_up: z.number().catch(0),
    current_down: z.number().catch(0),
    total_up: z.number().catch(0),
    total_down: z.number().catch(0),
    delay: counts,
    up: counts,
    down: counts,
  }),
)

/** Public services by ID: thirty days, today last; delays in ms. Source: contract engines 2.9. */
export const serviceOverview = lazy(() =>
  z.object({ services: z.record(z.string(), serviceItem()).catch({}) }).catch({ services: {} }),
)

/** Public fields of incidents. */
export const openIncidents = lazy(() =>
  z
    .object({
      value: z.array(
        z.object({
          id: z.int(),
          source: z.string().catch(''),
          name: z.string().catch(''),
          server_id: z.int().catch(0),
          opened_at: z.string().nullable().catch(null),
          reading: reading(),
          quiet: z.boolean().catch(false),
        }),
      ),
    })
    .catch({ value: [] }),
)

/** From `GET /setting`. Source: contract http-api 3.5. */
export const siteStyle = lazy(() =>
  z
    .object({ config: z.object({ site_name: z.string(), language: z.string(), custom_code: z.string() }).partial() })
    .catch({ config: {} }),
)

export const groupMembers = lazy(() =>
  z
    .array(
      z.object({
        group: z.object({ id: z.int(), name: z.string() }),
        servers: z.array(z.int()).nullable().catch(null),
      }),
    )
    .catch([]),
)
