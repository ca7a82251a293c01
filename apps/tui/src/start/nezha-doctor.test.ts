import { describe, expect, test } from 'vitest'
import { signedIn } from '../../../../tests/support/tui/nezha.ts'

const checksOf = (stdout: string) => (JSON.parse(stdout) as { check: string }[]).map(({ check }) => check)

describe('qd doctor on a Nezha dashboard', () => {
  test.each([
    [1, '1.12.4', ['noCsrf', 'toldSecrets', 'noBrake'], 1],
    [2, 'v2.2.6', ['toldSecrets', 'noBrake', 'endlessTokens'], 1],
    [2, 'v2.3.7', ['noBrake', 'endlessTokens'], 6],
    [2, 'debug', ['noBrake', 'unknownVersion', 'endlessTokens'], 6],
  ] as const)('%i.x, version %s', async (generation, version, checks, code) => {
    const { qd } = await signedIn({ generation, version })
    const found = await qd(['doctor', '--json'])
    expect([found.code, checksOf(found.stdout)]).toEqual([code, checks])
  })

  test('each finding says why it matters and what to do', async () => {
    const { qd } = await signedIn({ generation: 1 })
    const { stdout } = await qd(['doctor'])
    expect(stdout).toContain(
      'Dashboard 1.12.4 has no CSRF protection\nWhile someone is signed in, another website can run tasks',
    )
    expect(stdout).toContain('Update the dashboard to 2.1.0 or later')
  })

  test('a rule that can end the dashboard is named; members may not ask', async () => {
    const { dash, qd } = await signedIn({ version: 'v2.3.7' })
    const rule = (name: string, type: string, more: object = {}) => ({
      name,
      enable: true,
      rules: [{ type, cover: 0, ...more }],
    })
    dash.says('alert-rule', [
      rule('cards', 'gpu_max'),
      rule('only a server that never reported', 'gpu_max', { cover: 1, ignore: { 2: true } }),
      rule('busy', 'cpu'),
      { ...rule('off', 'gpu_max'), enable: false },
    ])
    const { stdout } = await qd(['doctor', '--json'])
    expect(JSON.parse(stdout)[0]).toEqual({ check: 'endingRules', severity: 'bad', names: ['cards'] })
    const member = await signedIn({ as: 'member' })
    expect((await member.qd(['doctor'])).code).toBe(5)
  })
})
