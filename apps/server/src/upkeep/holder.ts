import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { askPostgres } from '../store/db/postgres.ts'
import { isOfProcess, isStale, placeIn, readSite } from '../store/db/postgres-holder.ts'
import type { Finding } from './backup/check.ts'

/** Which server has the PostgreSQL database, which wait for it, and which of them is that of the data folder. Errors: Refusal. */
export async function checkHolder({ data }: Pick<Config, 'data'>, url: string): Promise<readonly Finding[]> {
  const { active, standbys } = await askPostgres(url, readSite)
  const file = join(data, 'server.pid')
  const own = existsSync(file) ? Number(readFileSync(file, 'utf8')) : null
  const isOwn = (name: string) => own !== null && isOfProcess(name, own)
  const role = active && isOwn(active.name) ? 'active' : standbys.some(isOwn) ? 'standby' : 'not running'
  const beat = `beat ${active?.age.toFixed(1)} s ago`
  return [
    {
      name: 'active server',
      fault: active ? (isStale(active) ? `${placeIn(active.name)} hangs: ${beat}` : null) : unserved(standbys),
      note: active ? `${placeIn(active.name)}, version ${active.version}, ${beat}` : 'none',
    },
    { name: 'standby servers', fault: null, note: standbys.map((name) => placeIn(name)).join(', ') || 'none' },
    { name: 'this server', fault: null, note: role },
  ]
}

const unserved = (standbys: readonly string[]) => (standbys.length > 0 ? 'none, while standby servers wait' : null)
