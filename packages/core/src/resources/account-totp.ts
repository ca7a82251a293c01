import * as z from 'zod'
import { type AnyRow, defineAction, lazy, type Outcome } from '../define/index.ts'
import { AppError } from '../errors/index.ts'

const key = lazy(() => z.object({ uri: z.string(), key: z.string() }))
const codes = lazy(() => z.object({ recovery_codes: z.array(z.string()) }))

/** Shown only once; a dry run has none. */
function recoveryCodes(answer: unknown): Outcome {
  const read = codes().safeParse(answer)
  if (!read.success) return { kind: 'done' }
  return { kind: 'secret', resource: 'account', of: 'recovery_codes', text: read.data.recovery_codes.join('\n') }
}

const inGroups = (text: string) => text.replace(/.{4}(?=.)/g, '$& ')

const turnOn = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'key',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['2fa', 'totp', 'authenticator', 'one-time code', 'mfa'],
  blocked: [{ when: { totp: { is: true } }, reason: 'totpOn' }],
  refusals: ['totpLate'],
  args: {
    input: () =>
      z.strictObject({ uri: z.string().max(2048), key: z.string().max(256), code: z.string().trim().min(1).max(16) }),
    fields: {
      uri: { kind: 'text', hidden: true },
      key: { kind: 'text', hidden: true },
      code: { kind: 'text', wide: true, help: true },
    },
    form: { prove: ['code'] },
    async load({ api }) {
      const read = key().safeParse(await api.send({ method: 'GET', path: 'profile/totp' }))
      if (!read.success) throw new AppError('badAnswer', { reason: 'totp' })
      return read.data
    },
    scan: ({ uri }) => String(uri),
    preview: (values) => (values.key === '' ? [] : [inGroups(String(values.key))]),
  },
  wire: { method: 'POST', path: 'profile/totp', body: (_rows, { code }) => ({ code }) },
  outcome: recoveryCodes,
})

const off = [{ when: { totp: { not: true } }, reason: 'totpOff' }]

const turnOff = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'ban',
  tone: 'bad',
  confirm: 'ask',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['disable 2fa', 'turn off totp', 'remove authenticator'],
  blocked: off,
  wire: { method: 'POST', path: 'profile/totp/off', body: () => ({}) },
  outcome: () => ({ kind: 'done' }),
})

const renewCodes = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'refresh-cw',
  confirm: 'ask',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['backup codes', 'new recovery codes', 'lost phone'],
  blocked: off,
  wire: { method: 'POST', path: 'profile/totp/recovery-codes', body: () => ({}) },
  outcome: recoveryCodes,
})

export const secondFactorActions = { totp: turnOn, 'totp-off': turnOff, 'recovery-codes': renewCodes }
