import type { Client } from '@qd/core/api'
import type { Reading } from '@qd/core/define'
import { plainText } from '@qd/core/define'
import { ServiceStatus, serviceStatusOf } from '@qd/core/resources'
import { openIncidents, serviceOverview } from '@qd/core/schemas'

type ServiceState = 'good' | 'low' | 'down' | 'noData'

export interface PublicService {
  id: number
  name: string
  state: ServiceState
  /** Today’s mean in ms; null without a success. */
  delay: number | null
  /** Uptime of each day in percent, today last; -1 without data. */
  days: readonly number[]
  percent: number
}

export interface PublicIncident {
  id: number
  source: string
  name: string
  serverId: number
  openedAt: string | null
  reading: Reading | null
  isPlanned: boolean
}

/** Services of `GET /service`. Source: contract engines 2.9. */
export async function readServices(client: Client): Promise<PublicService[]> {
  const answer = serviceOverview().parse(await client.send({ method: 'GET', path: 'service' }))
  const ordered = Object.entries(answer.services).sort(([, a], [, b]) => b.display_index - a.display_index)
  return ordered.map(([id, one]) => ({
    id: Number(id),
    name: plainText(one.service_name),
    state: one.status === ServiceStatus.noData ? 'noData' : serviceStateOf(one),
    delay: one.delay.at(-1) || null,
    days: one.up.map((up, day) => shareOf(up, one.down[day] ?? 0)),
    percent: shareOf(one.total_up, one.total_down),
  }))
}

const shareOf = (up: number, down: number) => (up + down === 0 ? -1 : (up * 100) / (up + down))

function serviceStateOf({
  current_up: up,
  current_down: down,
}: {
  current_up: number
  current_down: number
}): ServiceState {
  const status = serviceStatusOf({ up, down })
  if (status === ServiceStatus.good) return 'good'
  if (status === ServiceStatus.low) return 'low'
  return status === ServiceStatus.down ? 'down' : 'noData'
}

/** Current incidents; empty if the server keeps none. */
export async function readIncidents(client: Client): Promise<PublicIncident[]> {
  const capabilities = await client.capabilities()
  if (!capabilities.includes('incidents')) return []
  const query = { state: 'open,acknowledged,silenced', limit: 100 }
  const { value } = openIncidents().parse(await client.send({ method: 'GET', path: 'incident', query }))
  return value.map((one) => ({
    id: one.id,
    source: one.source,
    name: plainText(one.name),
    serverId: one.server_id,
    openedAt: one.opened_at,
    reading: one.reading,
    isPlanned: one.quiet,
  }))
}
