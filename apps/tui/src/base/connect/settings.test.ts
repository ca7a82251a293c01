import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAppError } from '@qd/core/errors'
import { describe, expect, test } from 'vitest'
import { createTestIo, type TestIo } from '../../../../../tests/support/tui/io.ts'
import { languageOf } from '../language.ts'
import { changeUserConfig, pathsOf, type UserConfig } from './config-file.ts'
import { type ConnectFlags, parseUrl, readFiles, resolveSettings } from './settings.ts'

/** A home with a user's file and a project's file, each saying the same things otherwise. */
function homeWith(env: TestIo['env'], files: { user?: Partial<UserConfig>; project?: object } = {}): TestIo {
  const io = createTestIo({ env })
  const { config } = pathsOf(io)
  mkdirSync(join(config, '..'), { recursive: true })
  if (files.user) writeFileSync(config, JSON.stringify(files.user), { mode: 0o600 })
  if (files.project) writeFileSync(join(io.cwd, '.quarterdeck.json'), JSON.stringify(files.project))
  return io
}

const settings = (io: TestIo, flags: ConnectFlags = {}) => resolveSettings(io, flags, readFiles(io))
const refusal = async (work: () => unknown) => {
  try {
    await work()
  } catch (thrown) {
    return toAppError(thrown).params
  }
  return null
}

describe('C-02 flag before environment before project before user', () => {
  const user = { url: 'http://user', timeout: '4s', output: 'plain', language: 'it-IT' } as const
  const project = { url: 'http://project', timeout: '3s', output: 'jsonl', language: 'es-ES' }
  const env = { QD_URL: 'http://env', QD_TIMEOUT: '2s', QD_OUTPUT: 'json', QD_LANG: 'de-DE' }
  const cases = [
    [
      'flag',
      { env, project, flags: { url: 'http://flag', timeout: '1s' }, args: ['--lang', 'ru-RU'] },
      ['http://flag', 1000, 'json', 'ru-RU'],
    ],
    ['environment', { env, project, flags: {}, args: [] }, ['http://env', 2000, 'json', 'de-DE']],
    ['project', { env: {}, project, flags: {}, args: [] }, ['http://project', 3000, 'jsonl', 'es-ES']],
    ['user', { env: {}, project: undefined, flags: {}, args: [] }, ['http://user', 4000, 'plain', 'it-IT']],
  ] as const
  test.each(cases)('%s', async (_name, { env, project, flags, args }, expected) => {
    const io = homeWith(env, { user, ...(project ? { project } : {}) })
    const found = await settings(io, flags)
    expect([found.url, found.timeoutMs, found.output, languageOf({ ...io, args }, readFiles(io))]).toEqual(expected)
  })

  test('token: a file, the environment, the profile; never to the address of a project', async () => {
    const prod = { url: 'http://prod', token: 'nzp_profile' }
    const io = homeWith({ QD_TOKEN: 'nzp_env' }, { user: { profiles: { prod }, current: 'prod' } })
    writeFileSync(join(io.cwd, 'token'), 'nzp_file\n')
    expect((await settings(io, { tokenFile: join(io.cwd, 'token') })).token).toBe('nzp_file')
    expect((await settings(io)).token).toBe('nzp_env')
    expect((await settings({ ...io, env: {} })).token).toBe('nzp_profile')
    expect((await settings({ ...io, env: {} }, { url: 'http://elsewhere' })).token).toBeNull()
    const inProject = homeWith({ QD_TOKEN: 'nzp_env' }, { project: { url: 'http://evil' } })
    expect(await refusal(() => settings(inProject))).toMatchObject({ reason: 'projectAddress' })
  })

  test('the locale of the terminal comes last; the default is English', () => {
    expect(languageOf({ args: [], env: { LANG: 'zh_TW.UTF-8' } }, null)).toBe('zh-TW')
    expect(languageOf({ args: [], env: { LANG: 'C.UTF-8' } }, null)).toBe('en-US')
  })
})

test('C-01 a saved connection is found by name or by its address', async () => {
  const profiles = {
    prod: { url: 'https://prod.example', user: 'alice' },
    lab: { url: 'http://lab.example', user: 'bob' },
  }
  const io = homeWith({}, { user: { profiles, current: 'prod' } })
  expect(await settings(io)).toMatchObject({ profile: 'prod', url: 'https://prod.example', user: 'alice' })
  expect(await settings(io, { profile: 'lab' })).toMatchObject({ profile: 'lab', url: 'http://lab.example' })
  expect(await settings({ ...io, env: { QD_PROFILE: 'lab' } })).toMatchObject({ profile: 'lab' })
  expect(await settings({ ...io, env: { QD_URL: 'http://lab.example/dashboard' } })).toMatchObject({
    profile: 'lab',
    user: 'bob',
  })
  expect(await refusal(() => settings(io, { profile: 'x' }))).toMatchObject({ reason: 'unknownProfile' })
})

test('C-02 a user that is named outranks the token of a saved connection', async () => {
  const profiles = { prod: { url: 'https://prod.example', token: 'nzp_saved' } }
  const io = homeWith({}, { user: { profiles, current: 'prod' } })
  expect(await settings(io)).toMatchObject({ token: 'nzp_saved' })
  expect(await settings(io, { user: 'alice' })).toMatchObject({ token: null, user: 'alice' })
})

test('nothing configured: the server of npm start', async () => {
  expect(await settings(homeWith({}))).toMatchObject({
    url: 'http://127.0.0.1:8008',
    urlFrom: 'default',
    timeoutMs: 12_000,
    retries: 2,
    output: 'table',
  })
})

describe('addresses', () => {
  test.each([
    ['https://a.example/', 'https://a.example'],
    ['http://a.example/dashboard/cron', 'http://a.example'],
    ['http://a.example/fleet/', 'http://a.example/fleet'],
    ['http://a.example/dashboard/server?token=abc#x', 'http://a.example'],
    ['127.0.0.1:8008', 'http://127.0.0.1:8008'],
  ])('%s', (text, url) => expect(parseUrl(text)).toBe(url))
  test.each(['', 'ftp://a', 'http://', 'http://user:secret@a.example'])('%s is refused', async (text) => {
    const params = await refusal(() => parseUrl(text))
    expect(params).toMatchObject({ reason: 'badUrl' })
    expect(JSON.stringify(params)).not.toContain('secret')
  })
})

describe('C-03 the file of the user', () => {
  test('directory by XDG, by QD_CONFIG as a file and as a folder', () => {
    const io = createTestIo()
    expect(pathsOf({ ...io, env: {} }).config).toBe(join(io.home, '.config/quarterdeck/config.json'))
    expect(pathsOf({ ...io, env: { XDG_CONFIG_HOME: '/x' } }).config).toBe('/x/quarterdeck/config.json')
    expect(pathsOf({ ...io, env: { QD_CONFIG: '/y/qd.json' } })).toEqual({
      config: '/y/qd.json',
      sessions: '/y/qd.json.sessions',
    })
    expect(pathsOf({ ...io, env: { QD_CONFIG: io.home } })).toEqual({
      config: join(io.home, 'config.json'),
      sessions: join(io.home, 'sessions'),
    })
    expect(pathsOf({ ...io, env: { APPDATA: 'C:\\a' }, platform: 'win32' }).config).toContain('C:\\a')
  })

  test('is written with mode 600 in a folder with 700, and refused when others can read it', async () => {
    const io = createTestIo({ env: {} })
    const { config } = pathsOf(io)
    await changeUserConfig(config, 'linux', (before) => ({ ...before, current: 'a' }))
    expect([statSync(config).mode & 0o777, statSync(join(config, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    chmodSync(config, 0o640)
    expect(await refusal(() => readFiles(io))).toMatchObject({ reason: 'openFile', try: `chmod 600 ${config}` })
  })

  test('T-30 changes made at once are all kept', async () => {
    const { config } = pathsOf(createTestIo({ env: {} }))
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
    await Promise.all(
      names.map((name) =>
        changeUserConfig(config, 'linux', (before) => ({ ...before, profiles: { ...before.profiles, [name]: {} } })),
      ),
    )
    expect(Object.keys((JSON.parse(readFileSync(config, 'utf8')) as UserConfig).profiles)).toEqual(names)
  })

  test('a place that cannot be written is named', async () => {
    const work = () => changeUserConfig('/dev/null/quarterdeck/config.json', 'linux', (before) => before)
    expect(await refusal(work)).toMatchObject({ reason: 'unwritableFile' })
  })

  test.each([
    ['not JSON', '{'],
    ['unknown key', '{"profile":{}}'],
    ['wrong type', '{"profiles":[]}'],
  ])('a broken one is named: %s', async (_name, text) => {
    const io = homeWith({}, { user: {} })
    writeFileSync(pathsOf(io).config, text, { mode: 0o600 })
    expect(await refusal(() => readFiles(io))).toMatchObject({ reason: 'brokenFile' })
  })
})
