import { expect, test } from 'vitest'
import { defaultConfig } from './agent-config.ts'
import { UsageError } from './operator-values.ts'
import { importSettings, loadSettings, type SettingsSource } from './settings.ts'

const uuid = '3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f'
const required = ['--server', 'host:8008', '--secret', 's3cret']

const createSource = (parts: Partial<SettingsSource> & { files?: Record<string, string> }) => {
  const files: Record<string, string> = { ...parts.files }
  const source: SettingsSource = {
    args: required,
    env: {},
    readFile: async (path) => files[path],
    writeFile: async (path, text) => {
      files[path] = text
    },
    newUuid: () => uuid,
    newSecret: () => 'n'.repeat(32),
    ...parts,
  }
  return { source, files }
}

test('what flags give, and the defaults of the rest', async () => {
  const { source } = createSource({ args: [...required, '--uuid', uuid, '--tls'] })
  expect((await loadSettings(source)).current).toEqual({
    ...defaultConfig,
    server: 'host:8008',
    client_secret: 's3cret',
    uuid,
    tls: true,
  })
})

test('a flag beats the environment, the environment beats the file', async () => {
  const file = {
    server: 'file:1',
    client_secret: 'file',
    uuid,
    report_delay: 4,
    custom_ip_api: ['http://a', 'http://b'],
    disable_command_execute: true,
  }
  const { source } = createSource({
    args: ['--config', 'c.json', '--server', '[::1]:3'],
    env: { NZ_SERVER: 'env:2', NZ_CLIENT_SECRET: 'env', NZ_TLS: 'true', NZ_REPORT_DELAY: '' },
    files: { 'c.json': JSON.stringify(file) },
  })
  expect((await loadSettings(source)).current).toMatchObject({
    server: '[::1]:3',
    client_secret: 'env',
    tls: true,
    report_delay: 4,
    custom_ip_api: ['http://a', 'http://b'],
    disable_command_execute: true,
  })
})

test('the identity is made once and kept beside what the file held', async () => {
  const { source, files } = createSource({
    env: { QD_DATA: '/var/qd' },
    files: { '/var/qd/agent.json': '{"report_delay":2}' },
  })
  await loadSettings(source)
  expect(JSON.parse(files['/var/qd/agent.json']!)).toEqual({ report_delay: 2, uuid })
  const again = await loadSettings({ ...source, newUuid: () => 'another' })
  expect(again.current.uuid).toBe(uuid)
})

test('what is saved is in force, in the file with every key, and unknown keys of the file stay', async () => {
  const { source, files } = createSource({
    files: { 'data/agent.json': JSON.stringify({ uuid, mine: 1, custom_ip_api: ['http://a'] }) },
  })
  const settings = await loadSettings(source)
  const next = { ...settings.current, report_delay: 3, custom_ip_api: [] }
  await settings.save(next)
  expect(settings.current).toBe(next)
  const file = JSON.parse(files['data/agent.json']!)
  expect(file).toMatchObject({ mine: 1, uuid, client_secret: 's3cret', report_delay: 3, gpu: false })
  expect(file).not.toHaveProperty('custom_ip_api')
  expect((await loadSettings(source)).current).toEqual(next)
})

test('a file that cannot be written leaves the old configuration in force', async () => {
  const { source } = createSource({ args: [...required, '--uuid', uuid], writeFile: refuse })
  const settings = await loadSettings(source)
  await expect(settings.save({ ...settings.current, report_delay: 3 })).rejects.toThrow('EACCES')
  expect(settings.current.report_delay).toBe(1)
})

test('a file of an existing agent: weak types, zeros, a period that is too short', async () => {
  const file = {
    uuid,
    tls: 'true',
    report_delay: '2',
    ip_report_period: 5,
    nic_allowlist: { eth0: true },
    dns: '1.1.1.1:53',
  }
  const { source } = createSource({ files: { 'data/agent.json': JSON.stringify(file) } })
  expect((await loadSettings(source)).current).toMatchObject({
    tls: true,
    report_delay: 2,
    ip_report_period: 30,
    nic_allowlist: { eth0: true },
    dns: ['1.1.1.1:53'],
  })
})

test('a given identity is not written anywhere', async () => {
  const { source, files } = createSource({ env: { NZ_UUID: uuid.toUpperCase() } })
  expect((await loadSettings(source)).current.uuid).toBe(uuid.toUpperCase())
  expect(files).toEqual({})
})

const refuse = () => Promise.reject(new Error('EACCES: permission denied'))

test.each<[string, Partial<SettingsSource> & { files?: Record<string, string> }, RegExp]>([
  ['unknown flag', { args: ['--nope'] }, /^Unknown option '--nope'$/],
  ['flag without a value', { args: ['--server'] }, /--server/],
  ['no server', { args: ['--secret', 'x'] }, /^missing flag: --server HOST:PORT$/],
  ['server without a port', { args: ['--server', 'host', '--secret', 'x'] }, /HOST:PORT, not "host"/],
  ['port 0', { args: ['--server', 'host:0', '--secret', 'x'] }, /HOST:PORT/],
  ['port 65536', { args: ['--server', 'host:65536', '--secret', 'x'] }, /HOST:PORT/],
  ['no secret', { args: ['--server', 'host:1'] }, /^missing flag: --code or --secret$/],
  ['secret with a line break', { args: ['--server', 'host:1', '--secret', 'a\nb'] }, /^--secret may contain/],
  ['short uuid', { args: [...required, '--uuid', 'abc'] }, /^uuid must be 36 characters/],
  ['delay out of range', { env: { NZ_REPORT_DELAY: '5' } }, /^report-delay ranges from 1-4$/],
  ['flag that is neither', { env: { NZ_TLS: 'maybe' } }, /^tls must be true or false/],
  [
    'file that is not JSON',
    { args: ['--config', 'c.json'], files: { 'c.json': 'server: x' } },
    /^c\.json is not a JSON object/,
  ],
  ['file that cannot be read', { readFile: refuse }, /^cannot read data\/agent\.json: EACCES/],
  [
    'folder that cannot be written',
    { writeFile: refuse },
    /^cannot save the identity of this agent in data\/agent\.json: EACCES/,
  ],
])('refused in one sentence: %s', async (_name, parts, message) => {
  const failure = await loadSettings(createSource(parts).source).catch((error) => error)
  expect(failure).toBeInstanceOf(UsageError)
  expect(failure.message).toMatch(message)
  expect(failure.message).not.toContain('\n')
})

const existing = `# ours since 2024
Server: monitor.example.org:443 # the old one
client_secret: old
uuid: ${uuid}
tls: "true"
dns: [192.0.2.53:53]
nic_allowlist: {eth0: true}
report_delay: 3
later_key: kept
`

test('issue 16: an existing agent’s config.yml is a settings file, and keeps its comments', async () => {
  const { source, files } = createSource({ args: ['--config', 'config.yml'], files: { 'config.yml': existing } })
  const settings = await loadSettings(source)
  expect(settings.current).toMatchObject({
    server: 'monitor.example.org:443',
    client_secret: 'old',
    uuid,
    tls: true,
    dns: ['192.0.2.53:53'],
    nic_allowlist: { eth0: true },
    report_delay: 3,
  })
  await settings.save({ ...settings.current, report_delay: 2, dns: [] })
  const text = files['config.yml']!
  for (const line of [
    '# ours since 2024',
    'Server: monitor.example.org:443 # the old one',
    'later_key: kept',
    'report_delay: 2',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('192.0.2.53')
  expect((await loadSettings(source)).current).toMatchObject({ report_delay: 2, dns: [] })
})

test('issue 16: --import tells what is in it, and what has no effect here', async () => {
  const { source } = createSource({ args: ['--import', 'config.yml'], files: { 'config.yml': existing } })
  const { settings, notes } = await importSettings(source)
  expect(settings).toEqual({
    ...{ server: 'monitor.example.org:443', client_secret: 'old', uuid, tls: true, report_delay: 3 },
    ...{ dns: ['192.0.2.53:53'], nic_allowlist: { eth0: true } },
  })
  expect(notes).toEqual(['dns has no effect: this agent uses the system resolver'])
})

test.each([
  ['server: [', /config\.yml is not YAML/],
  ['- a list', /contains no settings/],
  ['uuid: short', /config\.yml: server must be HOST:PORT|uuid must be/],
  ['server: a:1', /contains no uuid/],
])('a config.yml with %s is refused', async (text, words) => {
  const { source } = createSource({ args: ['--import', 'config.yml'], files: { 'config.yml': text } })
  await expect(importSettings(source)).rejects.toThrow(UsageError)
  await expect(importSettings(source)).rejects.toThrow(words)
})

test('issue 37.9 a code makes the agent make a secret once, and is sent until the server has taken it', async () => {
  const args = ['--server', 'host:8008', '--config', 'c.json', '--code', 'c0de']
  const { source, files } = createSource({ args })
  const first = await loadSettings(source)
  expect([first.current.client_secret, first.code]).toEqual(['n'.repeat(32), 'c0de'])
  expect(JSON.parse(files['c.json']!)).toEqual({ uuid, client_secret: 'n'.repeat(32), enrollment_code: 'c0de' })
  const second = await loadSettings({ ...source, newSecret: () => 'other' })
  expect([second.current.client_secret, second.code]).toEqual(['n'.repeat(32), 'c0de'])
  await second.enrolled()
  expect(JSON.parse(files['c.json']!)).toEqual({ uuid, client_secret: 'n'.repeat(32) })
  expect((await loadSettings(source)).code).toBeUndefined()
})

test('issue 37.9 a blank code is none, and issue 37.5 an empty watch_only is off', async () => {
  const args = ['--server', 'host:8008', '--config', 'c.yml', '--code', ' ']
  const { source } = createSource({ args, files: { 'c.yml': `uuid: ${uuid}\nwatch_only:\n` } })
  await expect(loadSettings(source)).rejects.toThrow('missing flag: --code or --secret')
  const settings = await loadSettings({ ...source, args: [...args.slice(0, 4), '--secret', 's3cret'] })
  expect([settings.isWatchOnly, settings.code]).toEqual([false, undefined])
})

test('issue 37.5 the first key is pinned for ever', async () => {
  const args = ['--server', 'host:8008', '--config', 'c.json', '--secret', 's3cret']
  const { source } = createSource({ args })
  const settings = await loadSettings(source)
  await settings.pin('first')
  await settings.pin('second')
  expect((await loadSettings(source)).updateKey).toBe('first')
})

test('issue 37.5 changes of the file at the same time wait for each other, and none is lost', async () => {
  const { source, files } = createSource({ args: ['--server', 'host:8008', '--config', 'c.json', '--code', 'c0de'] })
  let writing = 0
  const writeFile: SettingsSource['writeFile'] = async (path, text) => {
    writing += 1
    expect(writing).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    await source.writeFile(path, text)
    writing -= 1
  }
  const settings = await loadSettings({ ...source, writeFile })
  await Promise.all([settings.enrolled(), settings.save({ ...settings.current, debug: true }), settings.pin('k3y')])
  expect(JSON.parse(files['c.json']!)).toMatchObject({
    uuid,
    client_secret: 'n'.repeat(32),
    debug: true,
    update_key: 'k3y',
  })
  expect(files['c.json']).not.toContain('c0de')
})
