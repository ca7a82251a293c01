import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'
import { startReplay } from '../support/replay/dashboard.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld } from '../support/world.ts'

const made = useQd()
const url = 'https://monitor.example.org'

/** The commands of a section of the README, without their comments. */
function commandsOf(heading: string): string[] {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const section = text.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, '').replace(/; echo \$\?$/, ''))
      .filter((line) => line !== ''),
  )
}

const ours = 'http://127.0.0.1:8008'
const copying = `npx qd migrate --from ${url} --from-user admin --from-password-file ./password`

type Said = Readonly<Record<string, readonly [code: number, says: RegExp]>>

/** The exit code and the output of each command, against a 2.x dashboard. */
const said: Said = {
  [`npx qd login ${url} --user admin`]: [0, /Signed in to http\S+ as admin/],
  'npx qd doctor': [6, /Failed sign-in attempts aren’t limited/],
  'npx qd server ls online': [0, /web-1/],
  'npx qd cron run hourly --wait': [7, /hourly: Last run is now[\s\S]*doesn’t record runs/],
  [`npx qd login ${url} --token-file ./token`]: [0, /saved as default/],
  'npx qd server ls offline --json name,status': [0, /"db-1"/],
  [`npx qd login ${ours} --user admin`]: [0, /Signed in to http\S+ as admin/],
  [`${copying} --dry-run`]: [0, /\+ cron hourly[\s\S]*user alice: not copied: passwords can’t be read/],
  [`${copying} --yes`]: [0, /[1-9]\d* done, 0 failed, 0 skipped/],
}

/** The commands that end differently against a 1.x dashboard. */
const saidBefore: Said = {
  'npx qd doctor': [1, /has no CSRF protection[\s\S]*Failed sign-in attempts aren’t limited/],
  [`npx qd login ${url} --token-file ./token`]: [5, /doesn’t support API tokens; they require 2\.1/],
}

test.each([
  [2, said],
  [1, { ...said, ...saidBefore }],
] as const)(
  'README: every command of “Use it with the dashboard you have” was run at %i.x',
  async (generation, says) => {
    const dash = await startReplay({ generation })
    dash.expects('crons', 'run: ok', { after: [['crons', 'after the failing run']] })
    const qd = made.home({}, { token: `nzp_${'p'.repeat(32)}`, password: 'admin' })
    const world = await createWorld()
    const commands = commandsOf('Use it with the dashboard you have')
    const [start, ...others] = commands
    expect(start).toBe(`npm start -- --upstream ${url}`)
    const gateway = startProgram(['--upstream', dash.url, '--port', '0'])
    try {
      const address = await gateway.ready()
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
      expect(await (await fetch(`${address}/api/v1/setting`)).json()).toMatchObject({ success: true })
    } finally {
      gateway.child.kill('SIGTERM')
      await gateway.ended
    }
    expect(others).toEqual(Object.keys(said))
    try {
      for (const command of others) await run(command)
    } finally {
      await world.close()
    }

    async function run(command: string) {
      const [code, words] = says[command]!
      const typed = command
        .replace(/^npx qd /, '')
        .replaceAll(url, dash.url)
        .replaceAll(ours, world.origin)
        .split(' ')
      // The environment answers the password prompt.
      const ended = await qd(typed, { env: { QD_PASSWORD: command.includes(ours) ? admin.password : 'admin' } })
      expect([command, ended.code, `${ended.stdout}${ended.stderr}`]).toEqual([
        command,
        code,
        expect.stringMatching(words),
      ])
    }
  },
)
