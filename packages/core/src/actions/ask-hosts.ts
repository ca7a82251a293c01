import type { ApiPort, Resource, View } from '../define/index.ts'

/** The server has hosts read for some minutes after a question: while a list shows their fields, it asks again after this time. */
const againMs = 120_000
/** How long hosts are waited for, in ms: less than a call may take. */
const waitMs = 8_000

/** Those of the fields for which hosts are read only while a client asks. */
export function askedOf(
  { fields }: Pick<Resource, 'fields'>,
  names: readonly string[],
  { supports = () => true }: Pick<View, 'supports'> = {},
): readonly string[] {
  return [...new Set(names)].filter((name) => fields[name]?.asked && supports(fields[name]?.requires ?? '')).sort()
}

/** Has hosts read for these fields. Errors: those of `send`. */
export async function askHosts(api: ApiPort, fields: readonly string[], wait = waitMs): Promise<void> {
  const query = { metric: fields.join(','), wait }
  if (fields.length > 0) await api.send({ method: 'GET', path: 'host/metrics', query })
}

/** The same while a list shows the fields; their values come with the live feed. */
export function keepAsking(
  api: ApiPort,
  fields: readonly string[],
  setTimer: (run: () => void, ms: number) => () => void,
): () => void {
  if (fields.length === 0) return () => undefined
  let cancel = () => {}
  const ask = () => {
    cancel = setTimer(ask, againMs)
    // Without an answer the fields have no data, which is what they say.
    void askHosts(api, fields, 0).catch(() => undefined)
  }
  ask()
  return () => cancel()
}
