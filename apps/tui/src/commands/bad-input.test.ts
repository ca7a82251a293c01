import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../program.ts'
import { createTestIo } from '../test-io.ts'
import { monitoringWorld } from '../test-monitoring.ts'
import { type RecordingServer, startRecordingServer } from '../test-server.ts'

let server: RecordingServer
beforeAll(async () => {
  server = await startRecordingServer(monitoringWorld)
})
afterAll(() => server.close())

/** Runs `qd` without a terminal; `input` is what is piped into it. */
async function qd(args: readonly string[], input = '') {
  const io = createTestIo({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' }, input })
  const code = await runProgram(io)
  return { code, ...io.written() }
}

/** A command, its words, the complaint about each flag, and what is piped into it. */
type Case = [words: string, args: readonly string[], lines: readonly string[], input?: string]

const service = 'service create'
const site = ['--name', 'n', '--target', 'https://example.net']
const chat = ['--name', 'n', '--url-file', '-']
const url = 'https://example.net'
const disks = ['--name', 'n', '--starts-at', 'now', '--ends-at', '+1h', '--cover', 'all-except']

describe('spec section 5: what is wrong is said by flag, and nothing is sent', () => {
  test.each<Case>([
    [service, [], ['--name: fill this in', '--target: fill this in']],
    [
      service,
      ['--name', 'n', '--target', 'example.net'],
      ['--target: a web address is needed, such as https://example.net'],
    ],
    [
      service,
      [...site, '--type', 'icmp'],
      ['--target: a host name or an IP address is needed, such as db.example.net'],
    ],
    [service, [...site, '--type', 'tcp'], ['--target: a host with a port is needed, such as db.example.net:5432']],
    [service, [...site, '--type', 'udp'], ['--type: one of these is needed: http, icmp, tcp']],
    [service, [...site, '--duration', '29'], ['--duration: too small: at least 30']],
    [service, [...site, '--duration', '0'], ['--duration: too small: at least 30']],
    [service, [...site, '--duration', '1000d'], ['--duration: too big: at most 86,400']],
    [service, [...site, '--duration', 'often'], ['--duration: not a number: “often”']],
    [service, [...site, '--latency-notify', '--min-latency', '-1'], ['--min-latency: too small: at least 0']],
    [service, [...site, '--latency-notify', '--max-latency', 'x'], ['--max-latency: not a number: “x”']],
    [service, [...site, '--cover', 'all'], ['--cover: one of these is needed: all-except, only-listed']],
    [service, [...site, '--servers', 'nobody'], ['--skip-servers: nothing matches “nobody”']],
    [service, [...site, '--tells', 'nobody'], ['--notification-group-id: nothing matches “nobody”']],
    ['service edit 1', ['--name', ''], ['--name: fill this in']],

    ['notification create', [], ['--name: fill this in', '--url-file: fill this in']],
    ['notification create', chat, ['--url-file: a web address is needed, such as https://example.net'], 'example.net'],
    [
      'notification create',
      [...chat, '--request-method', 'head'],
      ['--request-method: one of these is needed: get, post, patch, delete, put'],
      url,
    ],
    [
      'notification create',
      [...chat, '--request-method', 'POST', '--request-type', 'xml'],
      ['--request-type: one of these is needed: json, form'],
      url,
    ],
    [
      'notification edit chat',
      ['--request-header-file', '-'],
      ['--request-header-file: headers are a JSON object of names and texts, such as {"X-Key": "abc"}'],
      'X-Key: abc',
    ],
    [
      'notification edit chat',
      ['--request-header-file', '-'],
      ['--request-header-file: headers are a JSON object of names and texts, such as {"X-Key": "abc"}'],
      '{"X-Key":"a\\r\\nb"}',
    ],

    [
      'notification edit chat',
      ['--request-body-file', '-'],
      ['--request-body-file: too long: at most 1,048,576 characters'],
      '"\n'.repeat(524_289),
    ],

    ['notification-group create', [], ['--name: fill this in']],
    ['notification-group create', ['--name', 'n', '--notifications', '7'], ['--notifications: nothing matches “7”']],

    ['alert-rule create', [], ['--name: fill this in']],
    ['alert-rule create', ['--name', 'n', '--rules', ''], ['--rules: at least one condition is needed']],
    ['alert-rule create', ['--name', 'n', '--rules', '-'], ['--rules: Invalid JSON string'], '[{"type":"cpu",]'],
    ['alert-rule create', ['--name', 'n', '--rules', '[null]'], ['--rules: Invalid JSON string']],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"cpu","cover":2,"duration":10}]'],
      ['--rules: condition 1: “cover” must be 0 (all servers except some) or 1 (only some)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"cpu","cover":-1,"duration":10}]'],
      ['--rules: condition 1: “cover” must be 0 (all servers except some) or 1 (only some)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu > 90 for 6s'],
      ['--rules: condition 1: at least 9 s are needed (3 samples)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu above 90'],
      ['--rules: cannot read “cpu above 90”; write a condition like cpu > 90 for 30s'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu > 90 on only nobody'],
      ['--rules: cannot read “cpu > 90 on only nobody”; write a condition like cpu > 90 for 30s'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'transfer_in_cycle > 1T in 0 months from 2026-01-01'],
      ['--rules: condition 1: the cycle lasts at least 1'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"transfer_in_cycle","cover":0,"cycle_interval":1}]'],
      ['--rules: condition 1: say when the cycle began'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--trigger-mode', 'twice'],
      ['--trigger-mode: one of these is needed: always, once'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--fail-trigger-tasks', '1,,x'],
      ['--fail-trigger-tasks: nothing matches “x”'],
    ],

    ['maintenance-window create', [], ['--name: fill this in', '--starts-at: fill this in', '--ends-at: fill this in']],
    [
      'maintenance-window create',
      [...disks.slice(0, 4), '--ends-at', 'soon'],
      ['--ends-at: a date is needed, such as 2026-11-20T14:00:00Z'],
    ],
    [
      'maintenance-window create',
      [...disks.slice(0, 4), '--ends-at', '2020-01-01'],
      ['--ends-at: it ends before it begins'],
    ],
    ['maintenance-window create', [...disks, '--services', 'shop'], ['--services: nothing matches “shop”']],

    ['incident silence 1', ['--for', '10s'], ['--duration: too small: at least 60']],
    ['incident silence 1', ['--for', '99d'], ['--duration: too big: at most 2,592,000']],
    ['incident ls', ['--state', 'over'], ['--state: one of these is needed: open, acknowledged, silenced, closed']],

    ['setting set', ['--site-name', ''], ['--site-name: fill this in']],
    ['setting set', ['--outbound-allowlist', 'http://push.lan'], ['--outbound-allowlist: {{.*}}']],
    [
      'setting set',
      ['--enable-ip-change-notification', '--cover', 'some'],
      ['--cover: one of these is needed: all-except, only-listed'],
    ],
    ['setting set', ['--history-fine-hours', '0'], ['--history-fine-hours: too small: at least 1']],
  ])('%s %j', async (words, args, lines, input) => {
    const before = server.changes.length
    const { code, stdout, stderr } = await qd([...words.split(' '), ...args], input)
    expect({
      code,
      stdout,
      lines: stderr
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    }).toEqual({
      code: 8,
      stdout: '',
      lines: lines.map((line) => (line.includes('{{') ? expect.stringContaining(line.split('{{')[0]!) : line)),
    })
    expect(server.changes.length).toBe(before)
  })
})

describe('a flag that cannot be meant is a usage error', () => {
  test.each<[string, readonly string[], string]>([
    ['notification edit chat', ['--clear', 'url'], 'unknown field url'],
    ['notification edit chat', ['--clear', 'request-bodi'], 'unknown field request-bodi'],
    ['notification create', ['--url', 'https://example.net/secret', '--name', 'n'], '--url-file: fill this in'],
    ['notification edit chat', ['--url-file', 'nowhere'], 'can’t read nowhere'],
    ['alert-rule create', ['--name', 'n', '--rules', '@nowhere'], 'can’t read nowhere'],
    ['service create', [...site, '--select', 'web-1', '--servers', 'db-1'], '--select is given twice'],
    ['service create', [...site, '--select', 'group:'], 'the selection cannot be read'],
    ['service create', [...site, '--select', 'nobody'], 'nothing matches “nobody”'],
    ['service create', [...site, '--max-latency', '5'], '--max-latency has no effect with the other values'],
    ['server history web-1', ['--metric', 'cup'], 'unknown metric cup'],
    ['server history web-1', ['--range', 'soon'], '--range needs a time'],
    ['server history web-1', ['--points', '0'], '--points must be a whole number, not 0'],
    ['service history 1', ['--range', '2d'], '--range must be 1d, 7d, or 30d here, not 2d'],
  ])('%s %j', async (words, args, text) => {
    const before = server.changes.length
    const { code, stdout, stderr } = await qd([...words.split(' '), ...args])
    expect(stderr).toContain(text)
    expect([2, 3, 8, 9]).toContain(code)
    expect(stdout).toBe('')
    expect(server.changes.length).toBe(before)
  })
})
