import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, secret } from '../bench/product.ts'
import { startRealAgent } from '../support/peers/real-agent.ts'

const folder = '/tmp/store/srv/app/releases/2.3.3'
const sizes: Readonly<Record<string, number>> = {
  'access.log': 48_300_211,
  'access-1.log': 104_857_600,
  'access-2.log': 104_857_600,
  'access-10.log': 104_857_600,
  'app-2.3.3.tar.gz': 3_391_022,
  'core.dump': 1_288_490_188,
  'deploy.sh': 1_204,
  'motd.png': 38_112,
}
const line = (index: number) =>
  index % 9 === 4
    ? `2026-11-23 14:${String(10 + (index % 40))}:07 error upstream timed out (110) while reading, request ${8000 + index}\n`
    : `2026-11-23 14:${String(10 + (index % 40))}:02 info  GET /api/v1/orders/${4000 + index} 200 ${12 + (index % 30)} ms\n`

/** A server with files that can be looked at: a real agent and a folder of this machine. */
export function startStore(port: number): { uuid: string; folder: string; stop(): Promise<void> } {
  for (const name of ['config', 'logs', 'public']) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, size] of Object.entries(sizes)) {
    writeFileSync(join(folder, name), '')
    truncateSync(join(folder, name), size)
  }
  writeFileSync(join(folder, 'app.log'), Array.from({ length: 1200 }, (_, index) => line(index)).join(''))
  writeFileSync(join(folder, 'app.yaml'), 'listen: 8080\nworkers: 8\n')
  for (const [index, name] of [...Object.keys(sizes), 'app.yaml', 'config', 'public'].entries()) {
    const at = Date.now() / 1000 - (index + 1) * 47_000
    utimesSync(join(folder, name), at, at)
  }
  const uuid = '00000000-0000-4000-8000-0000000f11e5'
  const agent = startRealAgent({
    program: join(root, 'apps/agent/dist/main.js'),
    port,
    secret,
    uuid,
    folder: '/tmp/store',
  })
  return {
    uuid,
    folder,
    async stop() {
      await agent.stop()
      rmSync('/tmp/store', { recursive: true, force: true })
    },
  }
}
