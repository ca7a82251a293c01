import { expect, test, vi } from 'vitest'
import { startReplay } from '../support/replay/dashboard.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld } from '../support/world.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const made = useQd()

/** What is said of records that cannot be copied, or not as they were. */
const said = {
  both: [
    'user alice: not copied: passwords can’t be read',
    'server db-1: not here yet: it appears when its agent connects',
    'cron alice all: not copied: its owner is unknown',
    'nat empty: not copied: host:',
    'service tcp: not copied: duration:',
    'server-group prod: copied without db-1',
    'server-group prod (2): renamed here, because another record is also named prod',
  ],
  1: [],
  2: ['notification hook: not copied: its url can’t be read', 'ddns dns: copied without access_secret'],
} as const

test.each([1, 2] as const)(
  'qd migrate copies a dashboard of %i.x, names what it cannot copy, and copies the rest when it is run again',
  async (generation) => {
    const dash = await startReplay({ generation })
    const world = await createWorld()
    try {
      const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
      const qd = made.home(env, { 'old-password': 'admin' })
      const migrate = (...flags: string[]) =>
        qd(['migrate', '--from', dash.url, '--from-user', 'admin', '--from-password-file', 'old-password', ...flags])
      const list = async (entity: string) =>
        JSON.parse((await qd([entity, 'ls', '--json'])).stdout) as Record<string, unknown>[]
      const namesOf = async (entity: string) => (await list(entity)).map(({ name }) => name)

      await world.agent({ uuid: '11111111-1111-4111-8111-111111111111' })
      const dry = await migrate('--dry-run')
      expect([dry.code, dry.stderr]).toEqual([0, expect.not.stringMatching(/^error/m)])
      expect(await list('cron')).toEqual([])

      const first = await migrate('--yes')
      expect([first.code, dash.calls().filter((call) => !call.startsWith('GET ') && call !== 'POST login')]).toEqual([
        0,
        [],
      ])
      for (const line of [...said.both, ...said[generation]]) expect(first.stderr).toContain(`${line}`)
      const secrets = first.stdout + first.stderr
      expect(secrets).not.toMatch(/hooks\.example\.com|X-Key/)
      expect(await namesOf('server')).toEqual(['web-1'])
      expect(await namesOf('cron')).toEqual(expect.arrayContaining(['hourly', 'every', 'tz', 'trigger']))
      expect(await namesOf('cron')).not.toContain('alice all')
      expect(await namesOf('alert-rule')).toContain('cpu high')
      expect(await namesOf('nat')).toEqual(['nat'])
      expect((await namesOf('notification')).includes('hook')).toBe(generation === 1)
      expect(JSON.parse((await qd(['setting', 'get', '--json', 'site_name'])).stdout)).toEqual({ site_name: 'fleet' })

      const again = await migrate('--yes')
      const nothing = /\n0 to create, 0 to change, 0 to delete, \d+ unchanged\n$/
      expect([again.code, again.stdout, again.stderr]).toEqual([0, '', expect.stringMatching(nothing)])

      await world.agent({ uuid: '22222222-2222-4222-8222-222222222222' })
      expect((await migrate('--yes')).code).toBe(0)
      expect((await namesOf('server')).sort()).toEqual(['db-1', 'web-1'])
      const prod = (await list('server-group')).find(({ name }) => name === 'prod')
      expect(prod?.servers).toHaveLength(2)
      expect(await migrate('--yes')).toMatchObject({ code: 0, stdout: '' })
    } finally {
      await world.close()
    }
  },
)
