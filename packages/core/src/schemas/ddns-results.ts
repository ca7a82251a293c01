import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** How the newest update of one record went. `error` is empty if it was taken; `at` RFC 3339; `tries` how often it was asked for. */
const result = lazy(() =>
  z.object({
    server_id: z.int(),
    server: z.string().catch(''),
    domain: z.string(),
    record: z.string(),
    address: z.string().catch(''),
    at: z.string(),
    error: z.string().catch(''),
    tries: z.int().catch(1),
  }),
)
export type DdnsResult = z.output<ReturnType<typeof result>>

/** Results by server, record and domain; those that cannot be read are left out. */
export const ddnsResults = lazy(() =>
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform(
      (all) =>
        Object.fromEntries(
          Object.entries(all).flatMap(([key, one]) => {
            const read = result().safeParse(one)
            return read.success ? [[key, read.data]] : []
          }),
        ) as Readonly<Record<string, DdnsResult>>,
    ),
)

/** Where the result of one record stands. */
export const ddnsResultKey = (serverId: number, record: string, domain: string): string =>
  `${serverId} ${record} ${domain}`

/** "home.example.net A 203.0.113.7 (web-1)": what was published, for a line. */
export const publishedLine = ({ domain, record, address, server }: DdnsResult): string =>
  `${domain} ${record} ${address} (${server})`

/** "home.example.net A (web-1): Invalid API Token": what was not, and why. */
export const failureLine = ({ domain, record, server, error }: DdnsResult): string =>
  `${domain} ${record} (${server}): ${error}`
