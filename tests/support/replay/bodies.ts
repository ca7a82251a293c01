import { isDeepStrictEqual } from 'node:util'
import { resourceByName } from '@qd/core/resources'
import { formBefore } from './first-generation.ts'
import { type Step, stepsOf } from './recordings.ts'

/** Fields that our forms have beyond every existing dashboard’s; those ignore what they do not know (contract http-api 1.1). */
const isOurs = (entity: string, key: string) =>
  key === 'on_trial' || resourceByName(entity)?.fields[key]?.requires !== undefined

/** Fields that the contract has and no recorded call: http-api 4.5. */
const documented: Readonly<Record<string, readonly string[]>> = {
  service: ['latency_notify', 'enable_trigger_task'],
}

const bothNames = ['hide_for_guest', 'enable_show_in_service']

type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every field that any recorded form of this entity has, by the names of the generation. */
function knownFields(file: string, { request }: Step, isFirst: boolean): Set<string> {
  const bodies = stepsOf(file).map((step) => step.request)
  const alike = bodies.filter(({ path, body }) => isObject(body) && path.split('/')[3] === request.path.split('/')[3])
  const asSent = ({ path, body }: Step['request']) => (isFirst ? formBefore(path.replace('/api/v1/', ''), body) : body)
  return new Set(alike.flatMap((one) => Object.keys(asSent(one) as Body)))
}

/** A body that was sent, and the recorded one that it is held against. */
interface Compared {
  readonly file: string
  readonly step: Step
  readonly sent: unknown
  /** Values that the test sends otherwise. */
  readonly changed?: Body | undefined
  readonly isFirst: boolean
}

/** What is wrong with a body that was sent where the recording has another one; null if they say the same. */
export function bodyProblem({ file, step, sent, changed = {}, isFirst }: Compared): string | null {
  const recorded = step.request.body
  if (!isObject(recorded) || !isObject(sent)) {
    const wanted = changed.body ?? recorded
    return isDeepStrictEqual(sent, wanted) || isNothing(sent, wanted)
      ? null
      : `${JSON.stringify(sent)} instead of ${JSON.stringify(wanted)}`
  }
  const wanted: Body = { ...recorded, ...changed }
  const known = knownFields(file, step, isFirst)
  const entity = step.request.path.split('/')[3] ?? ''
  // Before a list was read, nobody knows which name the dashboard has (contract http-api 10, row 16).
  if (step.request.method === 'POST' && entity === 'service') for (const name of bothNames) known.add(name)
  const wrong = [...new Set([...Object.keys(wanted), ...Object.keys(sent)])].flatMap((key) => {
    if (key in wanted && key in sent)
      return isDeepStrictEqual(sent[key], wanted[key])
        ? []
        : [`${key} is ${JSON.stringify(sent[key])} instead of ${JSON.stringify(wanted[key])}`]
    if (key in wanted) return [`${key} is missing`]
    return known.has(key) || isOurs(entity, key) || documented[entity]?.includes(key)
      ? []
      : [`${key} is no field that the dashboard knows`]
  })
  return wrong.length === 0 ? null : wrong.join('; ')
}

const isNothing = (sent: unknown, wanted: unknown): boolean =>
  wanted === undefined && (sent === undefined || isDeepStrictEqual(sent, {}))
