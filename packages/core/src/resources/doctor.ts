import * as z from 'zod'
import { type ApiPort, defineAction, lazy, type Outcome, type Report, type ReportLine } from '../define/index.ts'
import { toAppError } from '../errors/index.ts'
import { versionOrder } from '../targets/index.ts'

/**
 * What is looked for on an existing dashboard, which does not look at itself. Sources: behaviours "Contract drift" (versions), contract http-api
 * 3.13 (graphics cards) and 6.4 (nothing is counted without an address). Texts as those of `doctorChecks`.
 */
export const existingChecks = {
  endingRules: 'bad',
  noCsrf: 'bad',
  toldSecrets: 'bad',
  noBrake: 'warn',
  unknownVersion: 'warn',
  agentsPlain: 'warn',
  oldAgents: 'warn',
  endlessTokens: 'warn',
} as const satisfies Readonly<Record<string, 'bad' | 'warn'>>

/** The name of a check of an existing dashboard. */
export type ExistingCheck = keyof typeof existingChecks

/** Everything that `qd doctor` looks for on our server, and how bad it is (behaviour N-25). Texts: `ui.doctor.<check>.what`, `.why` and `.remedy`. */
export const doctorChecks = {
  defaultPassword: 'bad',
  plainHttp: 'bad',
  nameUnconfirmed: 'warn',
  certificateOver: 'bad',
  noBackup: 'warn',
  certificateSoon: 'warn',
  agentsPlain: 'warn',
  noSecondFactor: 'warn',
  openTerminals: 'warn',
  oldAgents: 'warn',
  endlessTokens: 'warn',
} as const satisfies Readonly<Record<string, 'bad' | 'warn'>>

/** The name of a check. */
export type DoctorCheck = keyof typeof doctorChecks

const severities = { ...doctorChecks, ...existingChecks }
type AnyCheck = DoctorCheck | ExistingCheck

/** One thing that was found, with what it is about: names of users, servers, addresses. */
export interface DoctorFinding {
  readonly check: AnyCheck
  readonly severity: 'bad' | 'warn'
  readonly names: readonly string[]
}

const isCheck = (name: string): name is AnyCheck => Object.hasOwn(severities, name)

/** Findings of a server; those of checks that are not known here are left out. */
const findings = lazy(() =>
  z
    .array(z.object({ check: z.string(), names: z.array(z.string()).catch([]) }))
    .catch([])
    .transform((found) =>
      found.flatMap(({ check, names }): DoctorFinding[] =>
        isCheck(check) ? [{ check, names, severity: severities[check] }] : [],
      ),
    ),
)

/** What was found, the worst first, each with why it matters and what to do; or that nothing was. */
function doctorReport(found: readonly DoctorFinding[], number: number): Report {
  return ({ translator }) => {
    const { t } = translator
    if (found.length === 0) return [{ text: t('ui.doctor.well', { number }), tone: 'ok' }]
    return found.flatMap(({ check, severity, names }): ReportLine[] => [
      { text: t(`ui.doctor.${check}.what`, { names }), tone: severity },
      { text: t(`ui.doctor.${check}.why`), tone: 'plain' },
      { text: t(`ui.doctor.${check}.remedy`), tone: 'muted' },
    ])
  }
}

function outcomeOf(answer: unknown, checks: object): Outcome {
  const order = ({ check }: DoctorFinding) => Object.keys(checks).indexOf(check)
  const found = findings()
    .parse(answer)
    .sort((a, b) => order(a) - order(b))
  const worst = found[0]?.severity
  return {
    kind: 'report',
    report: doctorReport(found, Object.keys(checks).length),
    data: found,
    ended: worst === 'bad' ? 'badly' : worst === 'warn' ? 'partly' : 'well',
  }
}

/** Our server looks at itself; for an existing dashboard, its answers are looked at here. */
async function examine(api: ApiPort): Promise<Outcome> {
  try {
    return outcomeOf(await api.send(ownCheck), doctorChecks)
  } catch (thrown) {
    if (toAppError(thrown).code !== 'noRoute') throw thrown
    // Seldom asked for, so it is no part of what a console loads first.
    const { examineExisting } = await import('./existing-doctor.ts')
    return outcomeOf(await examineExisting(api), existingChecks)
  }
}

const ownCheck = { method: 'GET', path: 'setting/doctor' } as const

/** `qd doctor`: looks for weak points of the server or dashboard and its fleet. */
export const doctor = defineAction<object>()({
  on: 'none',
  scope: 'nezha:admin:*',
  audience: 'admin',
  icon: 'shield',
  aliases: ['check-up', 'security check', 'weak points'],
  wire: { ...ownCheck, body: () => undefined },
  run: ({ api }) => examine(api),
})

/** Agents that are older than the newest of them, each with its version. Pure. */
export function olderAgents(agents: readonly { name: string; version: string }[]): readonly string[] {
  const newest = agents.reduce((best, { version }) => ((versionOrder(version, best) ?? 0) > 0 ? version : best), '0')
  return agents
    .filter(({ version }) => version !== '' && (versionOrder(version, newest) ?? 0) < 0)
    .map(({ name, version }) => `${name} (${version})`)
}
