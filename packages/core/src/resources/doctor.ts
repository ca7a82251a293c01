import * as z from 'zod'
import { type ApiPort, defineAction, lazy, type Outcome, type Report, type ReportLine } from '../define/index.ts'
import { toAppError } from '../errors.ts'
import { type NezhaCheck, nezhaChecks } from './nezha-checks.ts'

/** Checks of `qd doctor` on our server with their severity (behavior N-25). Texts: `ui.doctor.<check>.what`, `.why` and `.remedy`. */
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
  noStandby: 'warn',
  endlessTokens: 'warn',
} as const satisfies Readonly<Record<string, 'bad' | 'warn'>>

/** What a server on PostgreSQL says about its site, well or not. Texts: `ui.doctor.<fact>.what`. */
const siteFacts = { activeServer: 'fact', standbyServers: 'fact' } as const

type SiteFact = keyof typeof siteFacts
export type DoctorCheck = keyof typeof doctorChecks | SiteFact

export const doctorNames = Object.keys({ ...doctorChecks, ...siteFacts }) as DoctorCheck[]

const severities = { ...doctorChecks, ...nezhaChecks, ...siteFacts }
type AnyCheck = DoctorCheck | NezhaCheck

/** `names`: users, servers or addresses. */
export interface DoctorFinding {
  readonly check: AnyCheck
  readonly severity: 'bad' | 'warn' | 'fact'
  readonly names: readonly string[]
}

const isFact = (check: AnyCheck): check is SiteFact => Object.hasOwn(siteFacts, check)

const isCheck = (name: string): name is AnyCheck => Object.hasOwn(severities, name)

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

function doctorReport(found: readonly DoctorFinding[], number: number): Report {
  return ({ translator }) => {
    const { t } = translator
    const lines = found.flatMap(({ check, severity, names }): ReportLine[] =>
      isFact(check) || severity === 'fact'
        ? [{ text: t(`ui.doctor.${check}.what`, { names }), tone: 'plain' }]
        : [
            { text: t(`ui.doctor.${check}.what`, { names }), tone: severity },
            { text: t(`ui.doctor.${check}.why`), tone: 'plain' },
            { text: t(`ui.doctor.${check}.remedy`), tone: 'muted' },
          ],
    )
    const isWell = found.every(({ check }) => isFact(check))
    return isWell ? [{ text: t('ui.doctor.well', { number }), tone: 'ok' }, ...lines] : lines
  }
}

function outcomeOf(answer: unknown, checks: object): Outcome {
  const places = Object.keys({ ...checks, ...siteFacts })
  const order = ({ check }: DoctorFinding) => places.indexOf(check)
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

/** Our server checks itself; Nezha is checked from here. */
async function examine(api: ApiPort): Promise<Outcome> {
  try {
    return outcomeOf(await api.send(ownCheck), doctorChecks)
  } catch (thrown) {
    if (toAppError(thrown).code !== 'noRoute') throw thrown
    // Rarely needed, so the console loads it separately.
    const { examineNezha } = await import('./nezha-doctor.ts')
    return outcomeOf(await examineNezha(api), nezhaChecks)
  }
}

const ownCheck = { method: 'GET', path: 'setting/doctor' } as const

export const doctor = defineAction<object>()({
  on: 'none',
  scope: 'nezha:admin:*',
  audience: 'admin',
  icon: 'shield',
  aliases: ['check-up', 'security check', 'weak points'],
  wire: { ...ownCheck, body: () => undefined },
  run: ({ api }) => examine(api),
})
