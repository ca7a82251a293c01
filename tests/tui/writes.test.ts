import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { startScreen } from './screen.ts'

const names = Array.from({ length: 200 }, (_, index) => `host-${index}`)
const home = mkdtempSync(join(tmpdir(), 'qd-writes-'))
const measuredMs = 8000
let programs: Programs
let fleet: Fleet

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
})
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

test.each([
  [80, 24],
  [120, 36],
])(
  'T-02 T-03 with 200 servers updating every 2 s, %i x %i writes under 4 KB/s, without a full clear',
  async (columns, rows) => {
    let round = 0
    const timer = setInterval(() => {
      round += 1
      for (const [index, name] of names.entries())
        fleet.sample(name, {
          cpu: (index * 7 + round * 13) % 100,
          mem_used: BigInt(2_000_000_000 + ((index + round) % 40) * 100_000_000),
          disk_used: 40_000_000_000n,
          net_in_speed: BigInt((index * 31_337 + round * 77_777) % 5_000_000),
          net_out_speed: BigInt((index * 21_337 + round * 57_777) % 9_000_000),
          uptime: BigInt(90_000 + round * 2),
        })
    }, 2000)
    const screen = startScreen({
      qd: programs.qd,
      url: fleet.world.origin,
      home,
      columns,
      rows,
      env: { COLORTERM: 'truecolor', COLORFGBG: '15;0' },
    })
    try {
      await screen.shows(/Servers {2}200/)
      await screen.shows('live')
      const before = screen.written().length
      const at = Date.now()
      await screen.shows(() => Date.now() - at >= measuredMs, measuredMs * 2)
      const written = screen.written().slice(before)
      const perSecond = Buffer.byteLength(written) / ((Date.now() - at) / 1000)
      expect(perSecond).toBeGreaterThan(200)
      expect(perSecond).toBeLessThan(4096)
      expect(written).not.toContain('\u001b[2J')
      expect(written).not.toContain('\u001b[3J')
      process.stderr.write(`${columns}x${rows}: ${Math.round(perSecond)} bytes/s\n`)
    } finally {
      clearInterval(timer)
      await screen.close()
    }
  },
  90_000,
)
