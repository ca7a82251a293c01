import { AppError, isAboutCode } from '@qd/core/errors'
import type { Clock, Random } from '../kernel/ports.ts'
import type { FactorChange, MutableAccounts } from '../store/records/accounts.ts'
import type { Also, Step } from '../store/records/commit.ts'
import type { UserRow } from '../store/records/rows.ts'
import type { Settings } from '../store/records/settings.ts'
import { createLimits } from './limits.ts'
import { judgeCode, keyUri, newKey, newRecoveryCodes, recoveryHash } from './totp.ts'

const pendingMs = 15 * 60_000
const maxPending = 1000
const maxSpent = 10_000

export function isWrongCode(error: unknown): boolean {
  return error instanceof AppError && isAboutCode(error) && error.code !== 'codeRequired'
}

export type SecondFactor = ReturnType<typeof createSecondFactor>

export function createSecondFactor(parts: {
  accounts: Pick<MutableAccounts, 'find' | 'changeFactor'>
  settings: Settings
  clock: Clock
  random: Random
}) {
  const { accounts, settings, clock, random } = parts
  const pending = new Map<string, { key: string; at: number }>()
  const spent = new Set<string>()
  // Guesses of six digits are limited per account, from any address.
  const guesses = createLimits(clock)

  /** False if the code was used meanwhile: two calls may carry the same one. */
  function spend(mark: string): boolean {
    if (spent.has(mark)) return false
    spent.add(mark)
    if (spent.size > maxSpent) spent.delete(spent.values().next().value as string)
    return true
  }

  function stepOf(key: string, code: string, lastStep: number): number {
    const judged = judgeCode(key, code, { now: clock.now(), lastStep })
    switch (judged.kind) {
      case 'good':
        return judged.step
      case 'used':
        throw new AppError('codeUsed')
      case 'clock':
        throw new AppError('codeClock', { seconds: Math.abs(judged.seconds) })
      case 'wrong':
        throw new AppError('wrongCode')
    }
  }

  async function take(user: UserRow, code: string): Promise<number | null> {
    const plain = code.replace(/\s/g, '')
    if (/^\d{6}$/.test(plain)) {
      const step = stepOf(user.totp_secret, plain, user.totp_step)
      if (!spend(`${user.id} ${step}`)) throw new AppError('codeUsed')
      await accounts.changeFactor(user.id, { totp_step: step })
      return null
    }
    const hash = recoveryHash(code)
    if (!user.recovery_codes.includes(hash) || !spend(`${user.id} ${hash}`)) throw new AppError('wrongCode')
    const left = user.recovery_codes.filter((one) => one !== hash)
    await accounts.changeFactor(user.id, { recovery_codes: left })
    return left.length
  }

  async function newCodes(user: UserRow, more: FactorChange, also?: Also<UserRow>): Promise<readonly string[]> {
    const codes = newRecoveryCodes(random)
    await accounts.changeFactor(user.id, { ...more, recovery_codes: codes.map(recoveryHash) }, also)
    return codes
  }

  function waiting(session: string): string | null {
    const found = pending.get(session)
    return found && Math.abs(clock.now() - found.at) < pendingMs ? found.key : null
  }

  const demandOff = (user: UserRow) => {
    if (user.totp_secret !== '') throw new AppError('blocked', { reason: 'totpOn' })
  }
  const demandOn = (user: UserRow) => {
    if (user.totp_secret === '') throw new AppError('blocked', { reason: 'totpOff' })
  }

  return {
    /** A new key that waits for its first code, or the session's pending one. Errors: `blocked` if 2FA is on. */
    begin(user: UserRow, session: string): { uri: string; key: string } {
      demandOff(user)
      const key = waiting(session) ?? newKey(random)
      pending.delete(session)
      pending.set(session, { key, at: clock.now() })
      if (pending.size > maxPending) pending.delete(pending.keys().next().value as string)
      return { key, uri: keyUri(key, { issuer: settings.get().site_name || 'Quarterdeck', label: user.username }) }
    },
    /** Turns 2FA on with the first code. Returns the recovery codes. Errors: `blocked`, those of a code. */
    async turnOn(
      user: UserRow,
      { session, code }: { session: string; code: string },
      also?: Also<UserRow>,
    ): Promise<readonly string[]> {
      demandOff(user)
      const key = waiting(session)
      if (key === null) throw new AppError('blocked', { reason: 'totpLate' })
      const step = stepOf(key, code.replace(/\s/g, ''), 0)
      const codes = await newCodes(user, { totp_secret: key, totp_step: step }, also)
      pending.delete(session)
      return codes
    },
    /** Uses up a code. Returns how many recovery codes are left if it was one. Errors: `codeRequired`, `wrongCode`, `codeUsed`, `codeClock`, `tooMany`. */
    async check(user: UserRow, code: string | null): Promise<number | null> {
      if (user.totp_secret === '') return null
      if (code === null || code.trim() === '') throw new AppError('codeRequired')
      const account = String(user.id)
      const leave = await guesses.enter(account, account)
      try {
        const left = await take(accounts.find(user.id) ?? user, code)
        guesses.succeeded(account, account)
        return left
      } catch (error) {
        guesses.failed(account, account)
        throw error
      } finally {
        leave()
      }
    },
    async renewCodes(user: UserRow, also?: Also<UserRow>): Promise<readonly string[]> {
      demandOn(user)
      return newCodes(user, {}, also)
    },
    async turnOff(user: UserRow, also?: Also<UserRow>, ...steps: readonly Step<unknown>[]): Promise<void> {
      demandOn(user)
      await accounts.changeFactor(user.id, { totp_secret: '', totp_step: 0, recovery_codes: [] }, also, ...steps)
    },
  }
}
