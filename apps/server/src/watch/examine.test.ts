import { Role } from '@qd/core/define'
import { beforeAll, expect, test } from 'vitest'
import { type Certificate, makeCertificate } from '../../../../tests/support/certificates.ts'
import { hashPassword } from '../store/records/passwords.ts'
import { examine } from './examine.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const day = 86_400_000

let hash: string
let soon: Certificate
beforeAll(async () => {
  hash = await hashPassword('correct horse battery')
  soon = makeCertificate({ days: 5, name: 'soon' })
})

type Patient = Parameters<typeof examine>[0]

interface Weak {
  config?: object
  settings?: object
  services?: readonly { name: string }[]
  figures?: Readonly<Record<string, number>>
  streams?: readonly object[]
  tokens?: readonly object[]
  at?: number
}

function patient(weak: Weak = {}): Patient {
  const all = (rows: readonly object[] = []) => ({ all: () => rows })
  const admin = {
    id: 1,
    username: 'admin',
    role: Role.admin,
    password_hash: hash,
    reject_password: false,
    totp_secret: 'x',
  }
  const { config, settings, services, figures = {}, streams, tokens, at = now } = weak
  return {
    config: {
      tls: null,
      trustProxy: [],
      host: '127.0.0.1',
      databaseUrl: 'postgres://elsewhere',
      data: '/none',
      ...config,
    },
    accounts: { ...all([admin]), ownerOf: () => admin },
    apiTokens: all(tokens),
    clock: { now: () => at },
    servers: { ...all(), find: () => ({ name: 'web-1' }) },
    services: all(services),
    settings: { get: () => ({ tls: false, install_host: '', dashboard_host: '', ...settings }) },
    consoleNames: { all: () => [] },
    live: { hostOf: () => ({}) },
    monitors: {
      figuresOf: ({ name }: { name: string }) => ({
        cert_expires_at: figures[name] ?? null,
      }),
    },
    streams: all(streams),
  } as unknown as Patient
}

const found = async (weak: Weak) =>
  Object.fromEntries((await examine(patient(weak))).map(({ check, names }) => [check, names]))

test('N-25 a server without a weak point has nothing to be told', async () => {
  expect(await examine(patient())).toEqual([])
})

test('N-25 plain HTTP is told where others reach it: not on this machine, with TLS, or behind a proxy that has it', async () => {
  expect(await found({ config: { host: '0.0.0.0' } })).toEqual({ plainHttp: ['0.0.0.0'] })
  for (const config of [
    { host: '::1' },
    { host: 'localhost' },
    { host: '127.0.0.9' },
    { host: '0.0.0.0', trustProxy: ['10.0.0.1'] },
  ])
    expect(await found({ config })).toEqual({})
  const tls = makeCertificate({ days: 90, name: 'fresh' })
  expect(await found({ config: { host: '0.0.0.0', tls }, at: Date.now() })).toEqual({})
})

test('N-25 a certificate that ends soon or has ended is told: its own, and those that monitors saw', async () => {
  const config = { host: '0.0.0.0', tls: soon }
  expect(await found({ config, at: Date.now() })).toEqual({ certificateSoon: ['0.0.0.0'] })
  expect(await found({ config, at: Date.now() + 6 * day })).toEqual({ certificateOver: ['0.0.0.0'] })
  const services = ['fresh', 'soon', 'over', 'plain'].map((name) => ({ name }))
  const figures = { fresh: now + 22 * day, soon: now + 20 * day, over: now }
  expect(await found({ services, figures })).toEqual({ certificateOver: ['over'], certificateSoon: ['soon'] })
})

test('N-25 agents that connect without TLS over a network are told', async () => {
  const of = (install_host: string, tls = false) => found({ settings: { install_host, tls } })
  expect(await of('dash.example.net:8008')).toEqual({ agentsPlain: ['dash.example.net:8008'] })
  expect([await of('dash.example.net:443', true), await of('127.0.0.1:8008'), await of('')]).toEqual([{}, {}, {}])
})

test('N-25 terminals that are open for more than 8 hours and tokens without an end are told with whose they are', async () => {
  const creator = { viewer: { username: 'mia' } }
  const open = (hours: number, purpose = 'terminal') => ({
    purpose,
    serverId: 1,
    createdAt: now - hours * 3_600_000,
    creator,
  })
  expect(await found({ streams: [open(9), open(7), open(9, 'nat')] })).toEqual({ openTerminals: ['web-1 (mia)'] })
  const tokens = [
    { name: 'endless', owner_id: 1, expires_at: null },
    { name: 'ends', owner_id: 1, expires_at: '2027-01-01T00:00:00Z' },
  ]
  expect(await found({ tokens })).toEqual({ endlessTokens: ['endless (admin)'] })
})
